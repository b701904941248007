/** When something that is too large to be watched is read again. */

export interface ReadAgainOptions {
  read(): Promise<void>;
  /** Empty while there is nothing to read; a change of it triggers another read. */
  revision(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits, or rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
}

/** Between two reads at least, and at least ten times as long as the last one took: what is large is read less often. */
const LEAST_MILLISECONDS = 10_000;
const TIMES_OF_A_READ = 10;

/** Without any change, it is read again after this time: changes in a single machine are shown by then. */
const REREAD_MILLISECONDS = 60_000;

/** How soon a change is noticed. */
const STEP_MILLISECONDS = 500;

/** Reads immediately, again after changes, and every minute, until the signal aborts. `read` handles its own errors. */
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
