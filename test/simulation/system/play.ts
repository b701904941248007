/** Plays lives in processes of their own, as many at a time as there are processors. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Job, Played, Share } from './jobs.ts';

/** A process keeps the modules of every function process that it has started: it is not asked for more lives than these. */
const MOST_LIVES = 12;

const playShare = (share: Share, onPlayed: (played: Played) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let left = share.jobs.length;
    const child = fork(join(import.meta.dirname, 'shard.ts'), [JSON.stringify(share)], { execArgv: [] });
    child.on('message', (played) => {
      left -= 1;
      onPlayed(played as Played);
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0 && left === 0) resolve();
      else reject(new Error(`a process that played lives ended with ${code}, and ${left} lives were not played`));
    });
  });

export interface PlayOptions {
  outdir: string;
  withTranscript?: boolean;
  /** Judges each life by others. */
  compare?: (played: Played) => Played;
  /** Told about each life when it was played. */
  onPlayed?: (played: Played) => void;
}

/** What came of each job, in the order of the jobs. Rejects where a process fails. */
export const playAll = async (jobs: readonly Job[], options: PlayOptions): Promise<Played[]> => {
  const { outdir, withTranscript = false, compare = (played) => played, onPlayed } = options;
  const shares: Job[][] = [];
  const size = Math.max(1, Math.min(MOST_LIVES, Math.ceil(jobs.length / availableParallelism())));
  for (let from = 0; from < jobs.length; from += size) shares.push(jobs.slice(from, from + size));
  const all: Played[] = [];
  const work = async (): Promise<void> => {
    for (let share = shares.shift(); share !== undefined; share = shares.shift())
      await playShare({ outdir, jobs: share, withTranscript }, (found) => {
        const played = compare(found);
        all.push(played);
        onPlayed?.(played);
      });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const order = new Map(jobs.map((job, index) => [JSON.stringify(job), index]));
  return all.toSorted((a, b) => (order.get(JSON.stringify(a.job)) ?? 0) - (order.get(JSON.stringify(b.job)) ?? 0));
};
