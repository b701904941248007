/** IPv4 networks as numbers. */
export interface Cidr {
  /** The network address, 0 to 2^32 - 1. */
  readonly base: number;
  /** 0 to 32. */
  readonly prefix: number;
}

const octetsOf = (text: string): number[] | undefined => {
  const parts = text.split('.');
  const octets = parts.map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN));
  return octets.length === 4 && octets.every((octet) => octet <= 255) ? octets : undefined;
};

/** `10.0.0.1` as a number, or undefined where the text is no IPv4 address. */
export const parseAddress = (text: string): number | undefined =>
  octetsOf(text)?.reduce((sum, octet) => sum * 256 + octet, 0);

/** A number as `10.0.0.1`. */
export const formatAddress = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

/** How many addresses a network has. */
export const sizeOf = ({ prefix }: Cidr): number => 2 ** (32 - prefix);

/** A network from `10.0.0.0/16`, host bits cleared as EC2 does, or undefined where the text is none. */
export const parseCidr = (text: string): Cidr | undefined => {
  const [address = '', length = '', ...rest] = text.split('/');
  const base = parseAddress(address);
  const prefix = /^\d{1,2}$/.test(length) ? Number(length) : Number.NaN;
  if (base === undefined || rest.length > 0 || !(prefix <= 32)) return undefined;
  return { base: base - (base % 2 ** (32 - prefix)), prefix };
};

export const formatCidr = ({ base, prefix }: Cidr): string => `${formatAddress(base)}/${prefix}`;

/** Whether all addresses of `inner` are in `outer`. */
export const contains = (outer: Cidr, inner: Cidr): boolean =>
  inner.base >= outer.base && inner.base + sizeOf(inner) <= outer.base + sizeOf(outer);

/** Whether two networks share an address. */
export const overlaps = (a: Cidr, b: Cidr): boolean => contains(a, b) || contains(b, a);
