/** Decides when data that is too large for a watch is read again. */

export interface ReadAgainOptions {
  read(): Promise<void>;
  /** Empty if there is nothing to read; a change triggers another read. */
  revision(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits, or rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
}

/**
 * The minimum time between two reads. It is also at least ten times as long as the last read, so that large data is
 * read less often.
 */
const LEAST_MILLISECONDS = 10_000;
const TIMES_OF_A_READ = 10;

/** Without changes, data is read again after this time, which also finds changes of single machines. */
const REREAD_MILLISECONDS = 60_000;

/** How often to look for changes. */
const STEP_MILLISECONDS = 500;

/** Reads immediately, after changes, and every minute, until the signal aborts. `read` must handle its own errors. */
export const readAgain = async ({ read, revision, now, sleep, signal }: ReadAgainOptions): Promise<void> => {
  let seen = '';
  let earliest = 0;
  let latest = 0;
  while (!signal.aborted) {
    const current = revision();
    const isDue = current !== '' && now() >= earliest && (current !== seen || now() >= latest);
    if (isDue) {
      seen = current;
      const started = now();
      await read();
      earliest = now() + Math.max(LEAST_MILLISECONDS, TIMES_OF_A_READ * (now() - started));
      latest = Math.max(earliest, now() + REREAD_MILLISECONDS);
    }
    await sleep(STEP_MILLISECONDS, signal).catch(() => undefined);
  }
};
