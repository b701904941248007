import { isIPv4, isIPv6 } from 'node:net';
import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/** The addresses of a CIDR block, as numbers; `last` is included. */
export interface AddressRange {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

/** A block and where it stands in the object, for errors that speak of two. */
export interface CidrField {
  field: string;
  cidr: string;
}

const PREFIX = /^(0|[1-9]\d{0,2})$/;

const ipv4Value = (address: string): bigint =>
  address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);

/** Eight groups, `::` filled with zeros; an IPv4 tail counts as two groups. */
const ipv6Groups = (part: string): bigint[] => {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const value = ipv4Value(group);
    return [value >> 16n, value & 0xffffn];
  });
};

const ipv6Value = (address: string): bigint => {
  const [head = '', tail] = address.split('::');
  const [left, right] = [ipv6Groups(head), ipv6Groups(tail ?? '')];
  const zeros = new Array<bigint>(8 - left.length - right.length).fill(0n);
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | group, 0n);
};

/** The range of `10.0.0.0/16` or `fd00::/8`; host bits are ignored. Undefined where it is not a CIDR block. */
export const parseCidr = (cidr: string): AddressRange | undefined => {
  const [address = '', prefix = '', ...rest] = cidr.split('/');
  if (rest.length > 0 || !PREFIX.test(prefix) || address.includes('%')) return undefined;
  const family = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  const bits = family === 4 ? 32 : 128;
  if (family === undefined || Number(prefix) > bits) return undefined;
  const size = 1n << BigInt(bits - Number(prefix));
  const value = family === 4 ? ipv4Value(address) : ipv6Value(address);
  const first = value - (value % size);
  return { family, first, last: first + size - 1n };
};

const overlap = (a: AddressRange, b: AddressRange): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;

/** Whether `outer` holds every address of `inner`. */
export const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;

/** Malformed blocks, in the words of Go's net.ParseCIDR unless the field has its own. */
export const validateCidrs = (
  blocks: readonly CidrField[],
  detail = (cidr: string): string => `invalid CIDR address: ${cidr}`,
): FieldError[] =>
  blocks.flatMap(({ field, cidr }) => (parseCidr(cidr) ? [] : [invalidValue(field, cidr, detail(cidr))]));

/**
 * An error for each block that shares addresses with an earlier one. Not upstream: there such a network is built, and
 * traffic goes astray. Malformed blocks overlap with nothing.
 */
export const validateDisjoint = (blocks: readonly CidrField[]): FieldError[] => {
  const ranges = blocks.flatMap((block) => {
    const range = parseCidr(block.cidr);
    return range ? [{ ...block, range }] : [];
  });
  return ranges.flatMap((block, index) => {
    const other = ranges.slice(0, index).find((earlier) => overlap(earlier.range, block.range));
    return other ? [invalidValue(block.field, block.cidr, `must not overlap with ${other.field} (${other.cidr})`)] : [];
  });
};

/** The members of a list field, each with its own path. */
export const cidrFields = (field: string, cidrs: readonly string[] = []): CidrField[] =>
  cidrs.map((cidr, index) => ({ field: `${field}[${index}]`, cidr }));
