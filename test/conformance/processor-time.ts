/** Records how much processor time a test file and its programs have taken, which is most of the time of CI. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const STATISTICS = '/proc/self/stat';
/**
 * The index of utime, the first of four fields (utime, stime, cutime, cstime; see proc(5)), after the name of the
 * program, which may contain spaces.
 */
const FIRST_TIME = 11;
const TIMES = 4;
/** Linux reports times in this unit, whatever the frequency of the kernel's timer. */
const TICKS_A_SECOND = 100;
const MICROSECONDS = 1_000_000;

/**
 * The processor time of this process and of the children that it has waited for; without /proc, of this process only.
 */
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
