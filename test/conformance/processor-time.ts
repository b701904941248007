/** Records how much processor time a test file took, including its programs: this is most of CI's time. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const STATISTICS = '/proc/self/stat';
/** Of the fields after the name of the program, which may contain spaces: utime, stime, cutime, cstime (proc(5)). */
const FIRST_TIME = 11;
const TIMES = 4;
/** Linux's unit, whatever the kernel's own clock. */
const TICKS_A_SECOND = 100;
const MICROSECONDS = 1_000_000;

/** Of this process and of those that it has waited for; without /proc, of this process alone. */
const processorSeconds = (): number => {
  if (!existsSync(STATISTICS)) {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  }
  const fields = readFileSync(STATISTICS, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + TIMES).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_A_SECOND;
};

const file = process.env.WINDLASS_PROCESSOR_TIMES;
if (file !== undefined)
  afterAll(() => {
    appendFileSync(file, `${JSON.stringify({ name: expect.getState().testPath, seconds: processorSeconds() })}\n`);
  });
