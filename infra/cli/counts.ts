/** Adds up the tests of several commands that run one after the other, in a machine-readable form. */
import { appendFileSync } from 'node:fs';

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** Adds a line `passed failed skipped` to the file in WINDLASS_TEST_COUNTS; does nothing if that is not set. */
export const appendCount = (
  { passed, failed, skipped }: TestCount,
  file: string | undefined = process.env.WINDLASS_TEST_COUNTS,
): void => {
  if (file) appendFileSync(file, `${passed} ${failed} ${skipped}\n`);
};
