const INTERRUPTED = 130;

/** Aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
export const untilInterrupted = (): AbortSignal => {
  const interrupted = new AbortController();
  const stop = (): void => {
    if (interrupted.signal.aborted) process.exit(INTERRUPTED);
    interrupted.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return interrupted.signal;
};
