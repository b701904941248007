/**
 * A process that runs lifecycles, one after the other, and gets its share from the process that has forked it. Nothing
 * may be imported here that keeps a reference to a built-in function: those are replaced first.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEdge } from './boundary.ts';
import { type Branches, makeBrancher } from './branches.ts';
import { invocations } from './invocations.ts';
import type { Job, Played, Share } from './jobs.ts';
import type { Branching } from './life.ts';
import { openForks } from './virtual/fork.ts';
import { virtualize } from './virtual/process.ts';

const virtual = virtualize(() => invocations.getStore()?.process.isAlive !== false);
openEdge((act) => void virtual.scheduler.after(0, act));

// It extends the simulated DynamoDB, which must not be loaded yet.
await import('./items.ts');
const { openDirect } = await import('./direct.ts');
openDirect(virtual);
const { playLife } = await import('./life.ts');
const { importShared } = await import('./functions.ts');
const { loadAssembly } = await import('../../../infra/local/template.ts');

const MILLION = 1e6;
/** For this many copies it does not pay to prepare anything. */
const FEW = 20;

/** A long transcript takes a while to send, and would be lost with the connection. */
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
  branches,
} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Share;
const assemblies = [outdir, ...(former === undefined ? [] : [former])];
await importShared(new Set(assemblies.flatMap((one) => [...loadAssembly(one).assets.values()])));

const play = async (job: Job, branching?: Branching): Promise<Played> => {
  const before = process.cpuUsage();
  const { transcript, ...life } = await playLife(virtual, { ...job, outdir, former }, { branching, isRecorded });
  // A copy has used nothing when it begins.
  const { user, system } = process.cpuUsage(branching?.brancher.fault ? undefined : before);
  const isTold = withTranscript || life.breaches.length > 0;
  return {
    ...{ job, ...life, processorSeconds: (user + system) / MILLION },
    ...(isTold ? { transcript } : {}),
  };
};

/** Runs a job in copies of this process, each with a fault of its own; they return their results in a file. */
const playBranches = async (job: Job, { faults, expected }: Branches): Promise<Played[]> => {
  const forks = openForks();
  const told: Played[] = [];
  const file = join(dirname(process.argv[2] ?? ''), 'branch.json');
  const brancher = makeBrancher(forks, faults, (fault, status) => {
    if (status !== 0) throw new Error(`the copy with "${fault.kind}" at ${fault.effect} ended with ${status}`);
    told.push(JSON.parse(readFileSync(file, 'utf8')) as Played);
    rmSync(file);
  });
  // Copies have what V8 has compiled until then: an additional lifecycle makes many of them faster.
  if (faults.length > FEW) await play(job);
  const played = await play(job, { brancher, expected });
  const { fault } = brancher;
  if (fault === undefined) {
    if (!brancher.isOver)
      throw new Error(`the lifecycle ended before the effects of all faults: ${played.breaches.join('; ')}`);
    return told;
  }
  writeFileSync(file, JSON.stringify({ ...played, job: { ...job, faults: [fault] } }));
  forks.exit(0);
  return [];
};

for (const job of jobs) {
  const all = branches ? await playBranches(job, branches) : [await play(job)];
  for (const played of all) await tell(played);
}
if (process.connected) process.disconnect();
