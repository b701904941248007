/** Time limits of tests. Each test waits for an event, so the limit only matters when the event never comes. */

/** For one event. Much longer than anything takes on a busy computer, so that only a fault reaches the limit. */
export const PATIENCE_SECONDS = 400;

/** The same for `vi.waitFor` and `expect.poll`, whose own limit is one second. */
export const PATIENCE = { timeout: PATIENCE_SECONDS * 1000, interval: 50 } as const;

/**
 * For a whole test or hook, in milliseconds. It is longer than one wait, so that the wait fails first and names the
 * missing event.
 */
export const LIMIT = 900_000;

/** For one request to a workload cluster, in milliseconds. */
export const ANSWER_MILLISECONDS = 60_000;

const MOST_SECONDS = 150;

/**
 * Runs something that ends when its own time is up: first for `first` seconds, and then for twice as long each time,
 * until it has come far enough. How far it comes in a given time depends on the computer. Resolves to the last result,
 * whether that is far enough or not.
 */
export const withMoreTime = async <T>(
  first: number,
  run: (seconds: number) => Promise<T>,
  isFarEnough: (result: T) => boolean,
): Promise<T> => {
  for (let seconds = first; ; seconds *= 2) {
    const result = await run(seconds);
    if (isFarEnough(result) || seconds * 2 > MOST_SECONDS) return result;
  }
};
