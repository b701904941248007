import type { Address, Instance } from '../ports.ts';
import type { FileSystem } from '../user-data/file-system.ts';

/**
 * The real target of a connection from a machine to `host` and `port`, if it is not the one that the name resolves to.
 */
export type Route = (host: string, port: number) => Address | undefined;

/** A port of this computer on which nothing listens. */
const CLOSED: Address = { host: '127.0.0.1', port: 1 };

/** The address of a name in a machine's /etc/hosts. */
const inHosts = (hosts: string, name: string): string | undefined => {
  const lines = hosts.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.find(([, ...names]) => names.includes(name))?.[0];
};

export interface RouteOptions {
  files: FileSystem;
  instance: Instance;
  /** The addresses of the machine's own services, by port. */
  own: ReadonlyMap<number, Address>;
  /** Names in the VPC's DNS that this computer cannot resolve. */
  names: ReadonlyMap<string, string>;
}

/** Name resolution of a machine: its /etc/hosts, the DNS of its VPC, then that of this computer. */
export const makeRoute =
  ({ files, instance, own, names }: RouteOptions): Route =>
  (host, port) => {
    const address = inHosts(files.read('/etc/hosts') ?? '', host);
    if (address === '127.0.0.1' || address === instance.privateIp) return own.get(port) ?? CLOSED;
    const found = address ?? names.get(host);
    return found === undefined ? undefined : { host: found, port };
  };
