import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Temporary files of all tests, and of the programs that they start, are in one folder, which is removed if no test fails. */
export default ({ vitest }: TestProject): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    const isKept = vitest.state.getCountOfFailedTests() > 0;
    if (isKept) process.stderr.write(`temporary files of these tests are kept in ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true });
  };
};
