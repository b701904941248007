/**
 * Short waits inside a function. A check in a workflow costs three state transitions, as much as eleven seconds of a
 * function with 512 MB. If a result is imminent, it is therefore checked again without leaving the function.
 */
import type { Clock } from '../shared/clock.ts';
import type { Progress } from '../shared/plan/machines/waiting.ts';

/** Longer waits are left to the workflow: there they cost less, or not much more, and block no process. */
const LONGEST_WAIT_SECONDS = 5;

interface Patience {
  clock: Clock;
  /** The function continues for at most this time, including its checks. A running check is not interrupted. */
  seconds: number;
}

/** Whether the answer contains something that the workflow must handle immediately. */
const hasNews = (result: Progress): boolean => 'anyFinished' in result && result.anyFinished === true;

/** Repeats a step that waits, as long as its waits are short and `seconds` have not passed. Errors are passed on. */
export const patient =
  <I, C, R extends Progress>(step: (input: I, context: C) => Promise<R>, { clock, seconds }: Patience) =>
  async (input: I, context: C): Promise<R> => {
    const begin = clock.now().getTime();
    let slept = 0;
    for (;;) {
      const result = await step(input, context);
      const { progress, waitSeconds } = result;
      if (progress !== 'wait' || waitSeconds > LONGEST_WAIT_SECONDS || hasNews(result)) return result;
      const spent = Math.max(slept, (clock.now().getTime() - begin) / 1000);
      if (spent + waitSeconds > seconds) return result;
      await clock.sleep(waitSeconds * 1000);
      slept += waitSeconds;
    }
  };
