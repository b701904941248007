import type { WatchSettings } from '../../shared/kube-api/server/call.ts';

/** A watch of changing objects waits at most half a second, and a second once nothing has changed for a while. */
export const WATCH_PACE: Pick<WatchSettings, 'pollMilliseconds' | 'quiet'> = {
  pollMilliseconds: 500,
  quiet: { afterMilliseconds: 30_000, pollMilliseconds: 1_000 },
};
