/** `host:port`; an IPv6 address in brackets. */
export const hostPort = ({ host, port }: { host: string; port: number }): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
