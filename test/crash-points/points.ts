/** Kills a run before or after one of its effects, for every effect or for some of them, and compares the results. */
import { type Executioner, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';

export interface Point {
  at: number;
  when: 'before' | 'after';
}

/** The conformance suite tries every effect (`CRASH_POINTS=all`); `npm test` takes every `stride`-th. */
const isExhaustive = process.env.CRASH_POINTS === 'all';

/** Before the first effect and after each: after one effect is before the next. */
export const pointsOf = (count: number, stride: number): Point[] => {
  const step = isExhaustive ? 1 : stride;
  const after = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step + 1);
  return [{ at: 1, when: 'before' }, ...after.map((at): Point => ({ at, when: 'after' }))];
};

/** A crash ends the process, but its effects remain; any other error fails the test. */
export const untilDeath = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
};

/** A run that is not killed; it counts the effects. */
export const nobody = (): Executioner => makeExecutioner(Number.POSITIVE_INFINITY, 'after');

/**
 * The result of a scenario without a crash, the number of its effects, and the points (of every `stride`-th effect) at
 * which a crash leads to another result. The scenario itself continues after the crash and returns the result for the
 * comparison.
 */
export const deathsThatMatter = async (
  stride: number,
  story: (executioner: Executioner) => Promise<unknown>,
): Promise<{ count: number; end: unknown; failures: string[] }> => {
  const counter = nobody();
  const end = await story(counter);
  const expected = JSON.stringify(end);
  const failures: string[] = [];
  for (const { at, when } of pointsOf(counter.count, stride)) {
    const found = await story(makeExecutioner(at, when)).catch((error: unknown) => String(error));
    if (JSON.stringify(found) !== expected) failures.push(`${when} ${at}: ${JSON.stringify(found)}`);
  }
  return { count: counter.count, end, failures };
};
