/** Parts of a fleet that are swept separately, so that no sweep takes more time or memory than a function has. */
import { createHash } from 'node:crypto';

/** One of `of` parts, counted from 0. Each namespace is in exactly one of them. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** This part does the work that is done once per sweep, and not for each namespace. */
export const isFirst = ({ index }: Shard): boolean => index === 0;

/** The part of a namespace never changes, and many namespaces are spread evenly. */
export const isIn = (namespace: string, { index, of }: Shard): boolean =>
  of === 1 || createHash('sha256').update(namespace).digest().readUInt32BE(0) % of === index;

/**
 * The parts that an invocation sweeps: the one that the schedule names, or else all, one after the other. Throws an
 * Error for a part that does not exist.
 */
export const shardsOf = (event: unknown, of: number): Shard[] => {
  const { shard } = (event ?? {}) as { shard?: unknown };
  if (shard === undefined) return Array.from({ length: of }, (_, index) => ({ index, of }));
  if (typeof shard !== 'number' || !Number.isInteger(shard) || shard < 0 || shard >= of)
    throw new Error(`shard must be a whole number from 0 to ${of - 1}, not ${JSON.stringify(shard)}`);
  return [{ index: shard, of }];
};
