import { overlaps, parseCidr } from '../../../cidr.ts';
import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

/** A block and its path in the object, for errors about two of them. */
export interface CidrField {
  field: string;
  cidr: string;
}

/** Malformed blocks, with the message of Go's net.ParseCIDR unless the field has its own. */
export const validateCidrs = (
  blocks: readonly CidrField[],
  detail = (cidr: string): string => `invalid CIDR address: ${cidr}`,
): FieldError[] =>
  blocks.flatMap(({ field, cidr }) => (parseCidr(cidr) ? [] : [invalidValue(field, cidr, detail(cidr))]));

/**
 * An error for each block that shares addresses with an earlier one. Upstream has no such rule: it builds such a
 * network, and traffic goes to the wrong place. Malformed blocks overlap with nothing.
 */
export const validateDisjoint = (blocks: readonly CidrField[]): FieldError[] => {
  const ranges = blocks.flatMap((block) => {
    const range = parseCidr(block.cidr);
    return range ? [{ ...block, range }] : [];
  });
  return ranges.flatMap((block, index) => {
    const other = ranges.slice(0, index).find((earlier) => overlaps(earlier.range, block.range));
    return other ? [invalidValue(block.field, block.cidr, `must not overlap with ${other.field} (${other.cidr})`)] : [];
  });
};

/** The members of a list field, each with its own path. */
export const cidrFields = (field: string, cidrs: readonly string[] = []): CidrField[] =>
  cidrs.map((cidr, index) => ({ field: `${field}[${index}]`, cidr }));
