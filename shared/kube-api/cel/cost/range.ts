/** The minimum and maximum of a size or a cost, as unsigned 64-bit integers like in cel-go. */
export interface Range {
  min: bigint;
  max: bigint;
}

export const MAX = 2n ** 64n - 1n;
export const UNKNOWN: Range = { min: 0n, max: MAX };

/** The base costs of cel-go's model (common/cost.go). */
export const COST = { name: 1n, list: 10n, map: 30n, message: 40n } as const;
/** The cost per character of a string, and per character of a regular expression. */
export const FACTOR = { text: 0.1, regex: 0.25 } as const;

export const fixed = (value: bigint): Range => ({ min: value, max: value });

const capped = (value: bigint): bigint => (value > MAX ? MAX : value);

export const add = (...ranges: readonly Range[]): Range =>
  ranges.reduce((sum, { min, max }) => ({ min: capped(sum.min + min), max: capped(sum.max + max) }), fixed(0n));

export const multiply = (a: Range, b: Range): Range => ({ min: capped(a.min * b.min), max: capped(a.max * b.max) });

/** Scales in floating point and rounds up. */
const scaleOne = (value: bigint, factor: number): bigint => {
  const scaled = Math.ceil(Number(value) * factor);
  return scaled >= Number(MAX) ? MAX : BigInt(scaled);
};

export const scale = ({ min, max }: Range, factor: number): Range => ({
  min: scaleOne(min, factor),
  max: scaleOne(max, factor),
});

export const union = (a: Range, b: Range): Range => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});
