import { isIPv4, isIPv6 } from 'node:net';
import { parseIp, stringifyIp } from 'ip-bigint';

/** Blocks of IPv4 and IPv6 addresses, and where one lies in another. `ip-bigint` reads and writes the addresses. */

export interface Cidr {
  readonly family: 4 | 6;
  /** The first address; host bits are cleared. */
  readonly first: bigint;
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;

const PREFIX = /^(0|[1-9]\d{0,2})$/;

const familyOf = (address: string): Cidr['family'] | undefined => {
  if (isIPv4(address)) return 4;
  // A zone such as %eth0 is not part of an address in a block.
  return isIPv6(address) && !address.includes('%') ? 6 : undefined;
};

/** The number of addresses in a block. */
export const sizeOf = ({ family, prefix }: Pick<Cidr, 'family' | 'prefix'>): bigint =>
  1n << BigInt(BITS[family] - prefix);

/**
 * The block of `10.0.0.0/16` or `fd00::/8`, host bits cleared, as Go's net.ParseCIDR and EC2 read it. Undefined if the
 * text is not a block, or not of the required `family`.
 */
export const parseCidr = (text: string, family?: Cidr['family']): Cidr | undefined => {
  const [address = '', length = '', ...rest] = text.split('/');
  const found = familyOf(address);
  if (found === undefined || rest.length > 0 || !PREFIX.test(length) || found !== (family ?? found)) return undefined;
  const prefix = Number(length);
  if (prefix > BITS[found]) return undefined;
  // ip-bigint does not validate, so it is only given what Node.js has.
  const { number } = parseIp(address);
  return { family: found, first: number - (number % sizeOf({ family: found, prefix })), prefix };
};

/** Like parseCidr, for text that has passed admission. Throws an Error that quotes any text that is not a block. */
export const cidrOf = (text: string, family?: Cidr['family']): Cidr => {
  const cidr = parseCidr(text, family);
  if (cidr) return cidr;
  throw new Error(
    `"${text}" is not an ${family === 6 ? 'IPv6 block such as fd00::/8' : 'IP block such as 10.0.0.0/16'}`,
  );
};

/** The address at a position of a block, from 0. IPv6 in the form of RFC 5952. */
export const addressAt = ({ family, first }: Pick<Cidr, 'family' | 'first'>, index: number | bigint): string =>
  stringifyIp({ number: first + BigInt(index), version: family });

/** `10.0.0.0/16`, IPv6 in the form of RFC 5952. */
export const formatCidr = (cidr: Cidr): string => `${addressAt(cidr, 0)}/${cidr.prefix}`;

/** The same block in the form in which EC2 returns it; text that is not a block is returned unchanged. */
export const canonicalCidr = (text: string): string => {
  const cidr = parseCidr(text);
  return cidr ? formatCidr(cidr) : text;
};

/** The number of blocks of a prefix length that fit into a block. */
export const blocksIn = (outer: Cidr, prefix: number): number =>
  outer.prefix > prefix ? 0 : 2 ** (prefix - outer.prefix);

/**
 * The block of a prefix length at a position in a larger block, counted from 0. Does not check the size of the larger
 * block.
 */
export const blockAt = ({ family, first }: Cidr, prefix: number, index: number): Cidr => ({
  family,
  first: first + BigInt(index) * sizeOf({ family, prefix }),
  prefix,
});

/** Whether `outer` has every address of `inner`. */
export const contains = (outer: Cidr, inner: Cidr): boolean =>
  outer.family === inner.family &&
  inner.first >= outer.first &&
  inner.first + sizeOf(inner) <= outer.first + sizeOf(outer);

/** Whether two blocks share an address. */
export const overlaps = (a: Cidr, b: Cidr): boolean => contains(a, b) || contains(b, a);
