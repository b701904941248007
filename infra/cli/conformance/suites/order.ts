/** A test file, with the milliseconds that it took last time, if anyone timed it. */
export interface Timed<T> {
  file: T;
  milliseconds?: number | undefined;
  /** It keeps a processor busy, where others mostly wait. */
  computes: boolean;
  /** It is known to take minutes, also where nobody has timed it yet. */
  isLong?: boolean;
}

/** How many waiting files start before one that computes: of four concurrent files, one computes. */
const WAITING_PER_COMPUTING = 3;

const longestFirst = <T>(files: readonly Timed<T>[]): Timed<T>[] => {
  const timeOf = ({ milliseconds = Number.POSITIVE_INFINITY }: Timed<T>): number => milliseconds;
  const rankOf = ({ isLong = false }: Timed<T>): number => (isLong ? 0 : 1);
  return [...files].sort((a, b) => (timeOf(a) === timeOf(b) ? rankOf(a) - rankOf(b) : timeOf(b) - timeOf(a)));
};

/**
 * The order in which test files start: the longest first, so that none of them is left at the end, and before them
 * those without a recorded time, of which the files that are known to be long come first; CPU-bound files are spread
 * among those that wait, because they would only compete for the processors.
 */
export const inOrder = <T>(files: readonly Timed<T>[]): T[] => {
  const waiting = longestFirst(files.filter(({ computes }) => !computes));
  const computing = longestFirst(files.filter(({ computes }) => computes));
  const ordered: T[] = [];
  while (waiting.length + computing.length > 0)
    ordered.push(...[...waiting.splice(0, WAITING_PER_COMPUTING), ...computing.splice(0, 1)].map(({ file }) => file));
  return ordered;
};
