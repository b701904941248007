/** How long tests wait. Each waits for an event; only one that never comes is waited for as long as these say. */

/**
 * For one event. Far longer than anything takes on a computer that does many other things, so that a fault gets there
 * and a busy computer does not.
 */
export const PATIENCE_SECONDS = 400;

/** The same for `vi.waitFor` and `expect.poll`, whose own limit is one second. */
export const PATIENCE = { timeout: PATIENCE_SECONDS * 1000, interval: 50 } as const;

/** For a whole test or hook, in milliseconds: longer than one wait, so that the wait says what did not come. */
export const LIMIT = 900_000;

/** For one request to a workload cluster, in milliseconds. */
export const ANSWER_MILLISECONDS = 60_000;

const MOST_SECONDS = 150;

/**
 * Runs what ends when its own time is up, `first` seconds and then twice as many each time, until it has come far enough:
 * how far it comes in which time is the computer's affair. Resolves to the last result, whether it is far enough or not.
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
