import { isIPv6 } from 'node:net';
import { parseCidr } from '../../../../kinds/rules/cidr.ts';

/** IPv6 blocks as numbers, and the /64 blocks that subnets are made of. */

export interface Block6 {
  first: bigint;
  prefix: number;
}

/** Parses `2001:db8::/56`, host bits cleared; undefined where the text is no IPv6 block. */
export const parseBlock6 = (text: string): Block6 | undefined => {
  const range = parseCidr(text);
  return range?.family === 6 ? { first: range.first, prefix: Number(text.split('/')[1]) } : undefined;
};

/** The longest run of zero groups, of two or more, as RFC 5952 wants it shortened. */
const longestZeros = (groups: readonly string[]): { at: number; length: number } => {
  let best = { at: -1, length: 1 };
  for (let at = 0; at < groups.length; at += 1) {
    let length = 0;
    while (groups[at + length] === '0') length += 1;
    if (length > best.length) best = { at, length };
    at += length;
  }
  return best;
};

/** An address in its canonical form. */
export const formatAddress6 = (address: bigint): string => {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  const { at, length } = longestZeros(groups);
  if (at < 0) return groups.join(':');
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + length).join(':')}`;
};

export const formatBlock6 = ({ first, prefix }: Block6): string => `${formatAddress6(first)}/${prefix}`;

/** The same block in the form in which EC2 gives it back; other text as it is. */
export const canonicalBlock6 = (text: string): string => {
  const block = isIPv6(text.split('/')[0] ?? '') ? parseBlock6(text) : undefined;
  return block ? formatBlock6(block) : text;
};

const sizeOf = (prefix: number): bigint => 1n << BigInt(128 - prefix);

/** How many /64 blocks a block holds. */
export const subnetsIn = ({ prefix }: Block6): number => (prefix > 64 ? 0 : 2 ** (64 - prefix));

/** The /64 block at a position of a block. */
export const subnetAt = ({ first }: Block6, index: number): Block6 => ({
  first: first + BigInt(index) * sizeOf(64),
  prefix: 64,
});

/** Whether all addresses of `inner` are in `outer`. */
export const contains6 = (outer: Block6, inner: Block6): boolean =>
  inner.first >= outer.first && inner.first + sizeOf(inner.prefix) <= outer.first + sizeOf(outer.prefix);

export const overlaps6 = (a: Block6, b: Block6): boolean => contains6(a, b) || contains6(b, a);
