/** The sum of all tests that several commands run one after the other, as a machine counts them. */
import { appendFileSync } from 'node:fs';

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** Adds a line `passed failed skipped` to the file that WINDLASS_TEST_COUNTS names; without it does nothing. */
export const appendCount = (
  { passed, failed, skipped }: TestCount,
  file: string | undefined = process.env.WINDLASS_TEST_COUNTS,
): void => {
  if (file) appendFileSync(file, `${passed} ${failed} ${skipped}\n`);
};
