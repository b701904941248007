/**
 * Short waits inside a function. Three states of a workflow, the cost of a check there, cost as much as eleven seconds
 * of a function of 512 MB; so an imminent result is checked again without leaving the function.
 */
import type { Clock } from '../shared/clock.ts';
import type { Progress } from '../shared/plan/machines/waiting.ts';

/** A longer wait is left to the workflow, because it costs less there, or not much more, and blocks no process. */
const LONGEST_WAIT_SECONDS = 5;

interface Patience {
  clock: Clock;
  /** The function continues for at most this time, including its checks. A running check is not interrupted. */
  seconds: number;
}

/** Whether the answer contains something that the workflow must handle immediately. */
const hasNews = (result: Progress): boolean => 'anyFinished' in result && result.anyFinished === true;

/** Repeats a step that waits, as long as its waits are short and `seconds` are not over. Its errors are passed on. */
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
