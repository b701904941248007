/** A test file, with the milliseconds that it took in the last run, if they were recorded. */
export interface Timed<T> {
  file: T;
  milliseconds?: number | undefined;
  /** It is CPU-bound, whereas others mostly wait. */
  computes: boolean;
  /** It is known to take minutes; used if there is no recorded time. */
  isLong?: boolean;
}

/** The number of waiting files that start before a CPU-bound one: at least one of five concurrent files is CPU-bound. */
const WAITING_PER_COMPUTING = 3;

const longestFirst = <T>(files: readonly Timed<T>[]): Timed<T>[] => {
  const timeOf = ({ milliseconds = Number.POSITIVE_INFINITY }: Timed<T>): number => milliseconds;
  const rankOf = ({ isLong = false }: Timed<T>): number => (isLong ? 0 : 1);
  return [...files].sort((a, b) => (timeOf(a) === timeOf(b) ? rankOf(a) - rankOf(b) : timeOf(b) - timeOf(a)));
};

/**
 * The order in which test files start. The longest start first, so that none of them runs alone at the end. Files
 * without a recorded time start before them, and among these the ones that are known to be long. CPU-bound files are
 * spread among those that wait, because otherwise they would compete for the processors.
 */
export const inOrder = <T>(files: readonly Timed<T>[]): T[] => {
  const waiting = longestFirst(files.filter(({ computes }) => !computes));
  const computing = longestFirst(files.filter(({ computes }) => computes));
  const ordered: T[] = [];
  while (waiting.length + computing.length > 0)
    ordered.push(...[...waiting.splice(0, WAITING_PER_COMPUTING), ...computing.splice(0, 1)].map(({ file }) => file));
  return ordered;
};
