const UNITS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

/** Go counts in nanoseconds, with 64 bits. */
export const MAX_DURATION = 2n ** 63n - 1n;

const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|s|us|µs|ns))+$/;
const PART = /(\d*)(?:\.(\d*))?(h|ms|m|s|us|µs|ns)/g;

/** The nanoseconds of a duration as Go's time.ParseDuration reads it; undefined if it is none. */
export const readDuration = (text: string): bigint | undefined => {
  if (text === '0' || text === '+0' || text === '-0') return 0n;
  if (!DURATION.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = UNITS[unit] ?? 0n;
    total += BigInt(whole || '0') * size;
    if (fraction) total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  if (total > MAX_DURATION) return undefined;
  return text.startsWith('-') ? -total : total;
};

const HOUR = 3_600_000_000_000n;

/** Any word that begins with the long name of a unit stands for it: `3 weeks`, `1 minute`. */
const WORDS: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, 1_000_000_000n],
  [/^(?:m|min.*)$/, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/, HOUR],
  [/^(?:d|day.*)$/, 24n * HOUR],
  [/^(?:w|wk|week.*)$/, 7n * 24n * HOUR],
];

const WORDED = /^[\t\n\f\r ]*(?:\d+[\t\n\f\r ]*[A-Za-zµ]+[\t\n\f\r ]*)+$/;
const WORDED_PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;

const sizeOfWord = (word: string): bigint | undefined =>
  WORDS.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1];

/**
 * The nanoseconds of a text of the format `duration`, undefined if it is none: one of Go, or numbers with units up to
 * weeks, such as `1d` and `2 weeks 3 hours` (k8s.io/kube-openapi/pkg/validation/strfmt). As there, unknown units count
 * nothing beside known ones, and the sum wraps at 64 bits.
 */
export const readWordedDuration = (text: string): bigint | undefined => {
  const plain = readDuration(text);
  if (plain !== undefined || !WORDED.test(text)) return plain;
  const parts = [...text.matchAll(WORDED_PART)].map(([, digits = '0', word = '']) => ({
    count: BigInt(digits),
    size: sizeOfWord(word),
  }));
  const isReadable = parts.every(({ count }) => count <= MAX_DURATION) && parts.some(({ size }) => size !== undefined);
  if (!isReadable) return undefined;
  return BigInt.asIntN(
    64,
    parts.reduce((total, { count, size = 0n }) => total + count * size, 0n),
  );
};
