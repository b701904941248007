/**
 * A process that runs lifecycles, one after the other. The process that has forked it passes its share. Modules that
 * keep references to built-in functions must not be imported before these have been replaced.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEdge } from '../boundary.ts';
import { invocations } from '../invocations.ts';
import type { Branching } from '../life-options.ts';
import type { Expected } from '../states/rejoin.ts';
import { type Forks, openForks } from '../virtual/fork.ts';
import { virtualize } from '../virtual/process.ts';
import { type Brancher, makeBrancher, makeSeedBrancher, type Own } from './branches.ts';
import type { Job, Played, Share } from './jobs.ts';

const virtual = virtualize(() => invocations.getStore()?.process.isAlive !== false);
openEdge((act) => void virtual.scheduler.after(0, act));

// This extends the simulated DynamoDB, which must not be loaded earlier.
await import('../states/items.ts');
const { openDirect } = await import('../direct.ts');
openDirect(virtual);
const { playLife } = await import('../life.ts');
const { importShared } = await import('../functions.ts');
const { loadAssembly } = await import('../../../../infra/local/template.ts');

const MILLION = 1e6;
/** For this many copies, the warm-up is not worthwhile. */
const FEW = 20;

/** Sending a long transcript takes some time, and it would be lost with the connection. */
const tell = (played: Played): Promise<void> =>
  new Promise((resolve, reject) => {
    if (process.send === undefined) resolve();
    else process.send(played, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });

const {
  outdir,
  former,
  jobs,
  withTranscript,
  isRecorded = false,
  settled,
  branches,
  seeds,
} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Share;
const assemblies = [{ outdir, former }, ...jobs].flatMap((one) => [one.outdir ?? [], one.former ?? []].flat());
await importShared(new Set(assemblies.flatMap((one) => [...loadAssembly(one).assets.values()])));

const play = async (job: Job, branching?: Branching): Promise<Played> => {
  const before = process.cpuUsage();
  const { transcript, ...life } = await playLife(
    virtual,
    { outdir, former, ...job },
    { branching, isRecorded, settled },
  );
  // A copy starts with a processor time of zero.
  const { user, system } = process.cpuUsage(branching?.brancher.own ? undefined : before);
  const isTold = withTranscript || life.breaches.length > 0;
  return {
    ...{ job, ...life, processorSeconds: (user + system) / MILLION },
    ...(isTold ? { transcript } : {}),
  };
};

/** The file in which a copy stores its result. */
const file = join(dirname(process.argv[2] ?? ''), 'branch.json');

type MakeBrancher = (forks: Forks, onEnd: (own: Own, status: number) => void) => Brancher;

/** Runs a job in copies of this process, which return their results in a file. */
const playCopies = async (job: Job, count: number, expected: Expected, make: MakeBrancher): Promise<Played[]> => {
  const forks = openForks();
  const told: Played[] = [];
  const brancher = make(forks, (own, status) => {
    if (status !== 0) throw new Error(`the copy with ${JSON.stringify(own)} ended with ${status}`);
    told.push(JSON.parse(readFileSync(file, 'utf8')) as Played);
    rmSync(file);
  });
  // Copies contain the code that V8 has compiled before, so an additional lifecycle makes many of them faster.
  if (count > FEW) await play(job);
  const played = await play(job, { brancher, expected });
  if (brancher.own === undefined) {
    if (!brancher.isOver)
      throw new Error(`the lifecycle ended before all of its copies were made: ${played.breaches.join('; ')}`);
    return told;
  }
  writeFileSync(file, JSON.stringify({ ...played, job: { ...job, ...brancher.own } }));
  forks.exit(0);
  return [];
};

const UNKNOWN: Expected = { settled: [], moments: [] };

const playJob = async (job: Job): Promise<Played[]> => {
  if (branches) {
    const { faults, expected } = branches;
    return playCopies(job, faults.length, expected, (forks, onEnd) => makeBrancher(forks, faults, onEnd));
  }
  if (seeds) return playCopies(job, seeds.length, UNKNOWN, (forks, onEnd) => makeSeedBrancher(forks, seeds, onEnd));
  return [await play(job)];
};

for (const job of jobs) for (const played of await playJob(job)) await tell(played);
if (process.connected) process.disconnect();
