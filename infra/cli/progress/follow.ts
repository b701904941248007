import type { Clock } from '../../../shared/clock.ts';
import type { Api } from '../api/client.ts';
import type { Screen } from './screen.ts';
import { type ClusterName, type ClusterSnapshot, readCluster } from './snapshot.ts';
import { isComplete } from './verdict.ts';

/** Often enough for the eye, and rarely enough not to slow down what is being watched. */
const LOOK_MILLISECONDS = 300;

export interface FollowOptions {
  api: Api;
  clusters: readonly ClusterName[];
  screen: Screen;
  clock: Clock;
  /** The instant from which the seconds are counted. */
  startedAt: Date;
  timeoutSeconds: number;
  /** Ends the wait early. */
  signal: AbortSignal;
}

export interface Followed {
  complete: boolean;
  /** The result of the last poll. */
  snapshots: readonly ClusterSnapshot[];
  seconds: number;
}

/** Polls the clusters until all are complete, the time is over or the signal aborts. */
export const follow = async (options: FollowOptions): Promise<Followed> => {
  const { api, clusters, screen, clock, startedAt, timeoutSeconds, signal } = options;
  const elapsed = (): number => (clock.now().getTime() - startedAt.getTime()) / 1000;
  try {
    for (;;) {
      const snapshots = await Promise.all(clusters.map((cluster) => readCluster(api, cluster)));
      const seconds = elapsed();
      screen.update(snapshots, seconds);
      const complete = snapshots.every(isComplete);
      if (complete || seconds >= timeoutSeconds || signal.aborted) return { complete, snapshots, seconds };
      await clock.sleep(LOOK_MILLISECONDS, signal).catch(() => undefined);
    }
  } finally {
    screen.end();
  }
};
