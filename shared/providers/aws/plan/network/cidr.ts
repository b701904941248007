/** IPv4 ranges as numbers. Input is what admission let through; a malformed range is an Error that names it. */

export interface Range {
  /** First address as an unsigned 32-bit number. */
  start: number;
  prefix: number;
}

const PATTERN = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Parses `a.b.c.d/n`; host bits are cleared, as EC2 does. */
export const parseRange = (text: string): Range => {
  const numbers = PATTERN.exec(text)?.slice(1).map(Number);
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = numbers ?? [];
  if (!numbers || [a, b, c, d].some((part) => part > 255) || prefix > 32) {
    throw new Error(`"${text}" is not an IPv4 range such as 10.0.0.0/16`);
  }
  const address = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  return { start: address - (address % size(prefix)), prefix };
};

const size = (prefix: number): number => 2 ** (32 - prefix);

/** `a.b.c.d/n`. */
export const formatRange = ({ start, prefix }: Range): string =>
  `${[24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.')}/${prefix}`;

/** The first `count` of the equal blocks that a range splits into; their number is rounded up to a power of two. */
export const splitRange = ({ start, prefix }: Range, count: number): Range[] => {
  const blockPrefix = prefix + Math.ceil(Math.log2(count));
  return Array.from({ length: count }, (_, index) => ({
    start: start + index * size(blockPrefix),
    prefix: blockPrefix,
  }));
};
