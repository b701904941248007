/** Runs lifecycles in separate processes, one for each processor at a time. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../faults/kinds.ts';
import type { Job, Played, Share } from './jobs.ts';

/**
 * The maximum number of lifecycles in a process, which keeps the modules of every function process that it has started.
 */
const MOST_LIVES = 12;

/** The maximum number of single faults in a process: enough that their shared lifecycle hardly matters. */
const MOST_BRANCHES = 200;
const FEWEST_BRANCHES = 20;
/** Lower, because these lifecycles are long, and the results arrive only when all of them have ended. */
const MOST_SEEDS = 24;

/** Copies of a process have none of its threads, so V8 must not use threads. */
const FOR_COPIES = ['--single-threaded', '--max-semi-space-size=64', '--heap-growing-percent=200'];

/** With V8's default of 16 MB for young objects, their collection takes an eighth of a lifecycle. */
const FOR_LIVES = ['--max-semi-space-size=128'];

const playShare = async (share: Share, onPlayed: (played: Played) => void): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-share-'));
  const file = join(directory, 'share.json');
  writeFileSync(file, JSON.stringify(share));
  const copies = share.branches?.faults ?? share.seeds;
  let left = copies?.length ?? share.jobs.length;
  try {
    await new Promise<void>((resolve, reject) => {
      const execArgv = copies ? FOR_COPIES : FOR_LIVES;
      const child = fork(join(import.meta.dirname, 'shard.ts'), [file], { execArgv });
      child.on('message', (played) => {
        left -= 1;
        onPlayed(played as Played);
      });
      child.once('error', reject);
      // Not at `exit`, because messages may still be in transit then.
      child.once('close', (code) => {
        if (code === 0 && left === 0) resolve();
        else reject(new Error(`a process that played lives ended with ${code}, and ${left} lives were not played`));
      });
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Runs one share for each processor at a time. */
const playShares = async (shares: readonly Share[], onPlayed: (played: Played) => void): Promise<void> => {
  const open = [...shares];
  const work = async (): Promise<void> => {
    for (let share = open.shift(); share !== undefined; share = open.shift()) await playShare(share, onPlayed);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
};

/** Splits `all` into pieces of this size, preferably one for each processor. */
const piecesOf = <T>(all: readonly T[], { fewest, most }: { fewest: number; most: number }): T[][] => {
  const size = Math.max(fewest, Math.min(most, Math.ceil(all.length / availableParallelism())));
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
};

export interface PlayOptions {
  outdir: string;
  /** The cloud assembly that is deployed before `outdir`. */
  former?: string | undefined;
  withTranscript?: boolean;
  /** The states in the middle of steps are recorded, so that lifecycles with faults can be compared with them. */
  isRecorded?: boolean;
  /**
   * The minimum number of lifecycles in a process, if there are enough; by default, all processors are used. Only the
   * first lifecycle of a process must compile the code.
   */
  fewest?: number;
  /** The lifecycle without faults. Those with faults get the time that sweeps need to reach the same states. */
  plain?: Played | undefined;
  /** Compares a lifecycle with others. */
  compare?: (played: Played) => Played;
  /** Called with each lifecycle that has ended. */
  onPlayed?: (played: Played) => void;
}

/** The results of the jobs, in order. Rejects if a process fails. */
export const playAll = async (jobs: readonly Job[], options: PlayOptions): Promise<Played[]> => {
  const {
    outdir,
    former,
    withTranscript = false,
    isRecorded = false,
    fewest = 1,
    plain,
    compare = (played) => played,
    onPlayed,
  } = options;
  const settled = plain?.settled;
  const all: Played[] = [];
  const shares = piecesOf(jobs, { fewest, most: MOST_LIVES }).map(
    (piece): Share => ({ outdir, former, jobs: piece, withTranscript, isRecorded, settled }),
  );
  await playShares(shares, (found) => {
    const played = compare(found);
    all.push(played);
    onPlayed?.(played);
  });
  const order = new Map(jobs.map((job, index) => [JSON.stringify(job), index]));
  return all.toSorted((a, b) => (order.get(JSON.stringify(a.job)) ?? 0) - (order.get(JSON.stringify(b.job)) ?? 0));
};

/**
 * The results of a lifecycle with each of the faults, one at a time. `plain` is the same lifecycle without faults.
 * Faults share one run up to their effects.
 */
export const playSingles = async (
  plain: Played,
  faults: readonly Fault[],
  { outdir, former, withTranscript = false, compare = (played) => played, onPlayed }: PlayOptions,
): Promise<Played[]> => {
  const all: Played[] = [];
  const shares = piecesOf(faults, { fewest: FEWEST_BRANCHES, most: MOST_BRANCHES }).map((piece): Share => {
    const { settled, moments } = plain;
    const branches = { faults: piece, expected: { settled, moments } };
    return { outdir, former, withTranscript, jobs: [plain.job], branches };
  });
  await playShares(shares, (found) => {
    const played = compare(found);
    all.push(played);
    onPlayed?.(played);
  });
  return all;
};

/** The results of random changes, with one lifecycle for each seed. Many seeds share one run up to the changes. */
export const playDisturbed = async (
  job: Job,
  seeds: readonly number[],
  { outdir, withTranscript = false, fewest = 1, onPlayed }: PlayOptions,
): Promise<Played[]> => {
  const all: Played[] = [];
  const pieces = piecesOf(seeds, { fewest, most: MOST_SEEDS });
  const shares = pieces.map((piece): Share => ({ outdir, withTranscript, jobs: [job], seeds: piece }));
  await playShares(shares, (played) => {
    all.push(played);
    onPlayed?.(played);
  });
  return all;
};
