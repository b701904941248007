import { tableOf } from '../bench/figures.ts';
import { measure } from '../bench/measure.ts';

/** Suites that are named already and come later. */
const LATER = ['lifecycle', 'fleet'];

/**
 * Measures the laptop and prints the figures, as a table or as one JSON object. Resolves to the exit code: 2 for a suite
 * that is not built yet. The figures are no test: slow computers are no failure.
 */
export const bench = async (suite: string | undefined, { json }: { json: boolean }): Promise<number> => {
  if (suite !== undefined) {
    const known = LATER.includes(suite);
    process.stderr.write(known ? `bench ${suite}: not built yet\n` : `there is no suite "${suite}"\n`);
    return known ? 2 : 1;
  }
  const figures = await measure();
  process.stdout.write(`${json ? JSON.stringify(figures) : tableOf(figures)}\n`);
  return 0;
};
