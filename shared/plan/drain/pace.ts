import { FAILED, isOverdue, type Progress, waitFrom } from '../machines/waiting.ts';

/**
 * An execution does not sleep through a longer wait. Each check is then a separate execution, which the cluster's
 * passes start (every five minutes, and immediately when the Machine changes). So no history exceeds 2,000 events, and
 * a drain that hangs for a week only costs its passes.
 */
const PATIENCE_SECONDS = 30 * 60;

/** Ends the execution; later passes return to the machine. */
export const PARKED: Progress = FAILED;

/**
 * When to check again something that has been awaited since `since` and is abandoned after `timeoutSeconds` (0: never).
 */
export const nextLook = (since: string, timeoutSeconds: number | undefined, now: Date): Progress => {
  const next = waitFrom(since, now);
  const waited = (now.getTime() - Date.parse(since)) / 1000;
  const left = timeoutSeconds ? timeoutSeconds - waited : Number.POSITIVE_INFINITY;
  // The end of the wait is so near that the execution waits for it, so that it is not missed.
  if (isOverdue(since, PATIENCE_SECONDS, now) && left > PATIENCE_SECONDS) return PARKED;
  return { progress: 'wait', waitSeconds: Math.max(1, Math.min(next.waitSeconds, Math.ceil(left))) };
};
