import { isClosedPipe } from '../closed-output.ts';

const INTERRUPTED = 130;

const PARENT_LOOK_MILLISECONDS = 1000;

/** When npm is stopped, it ends without its scripts, which detect this by their new parent process. */
const withoutNpm = (stop: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_LOOK_MILLISECONDS);
  timer.unref();
};

/**
 * Aborts at the first SIGINT or SIGTERM, or when the npm process that started this has ended; a second signal ends the
 * process immediately.
 */
export const untilInterrupted = (): AbortSignal => {
  const interrupted = new AbortController();
  const stop = (): void => {
    if (interrupted.signal.aborted) process.exit(INTERRUPTED);
    interrupted.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  withoutNpm(() => interrupted.abort());
  return interrupted.signal;
};

/** Aborts as `untilInterrupted` does, or when nothing reads the output any more, for example after `| head`. */
export const untilUnread = (): AbortSignal => {
  const unread = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosedPipe(error)) unread.abort();
  });
  return AbortSignal.any([untilInterrupted(), unread.signal]);
};
