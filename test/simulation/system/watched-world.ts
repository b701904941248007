/** A world whose functions are observed and disturbed. */

import type { Scene } from './actors/happenings.ts';
import { watchEdge } from './boundary.ts';
import { outdatedAtTimes } from './faults/descriptions.ts';
import { type Adversary, makeAdversary } from './faults/faults.ts';
import type { Fault } from './faults/kinds.ts';
import { type Invocation, purposeOf } from './invocations.ts';
import type { Notes } from './notes.ts';
import { secretBreach } from './verdicts/judge.ts';
import type { Scheduler } from './virtual/scheduler.ts';
import { startWorld, type World } from './world.ts';

export interface WatchOptions {
  outdir: string;
  former: string | undefined;
  /** The account of the clusters. */
  accountId: string | undefined;
  faults: readonly Fault[];
  faultsAt(effect: number): readonly Fault[];
  notes: Notes;
  scene: Scene;
  scheduler: Scheduler;
}

export interface WatchedWorld {
  world: World;
  adversary: Adversary;
  /** Calls of functions to AWS, including reads. */
  calls(): number;
  /** The names and purposes of invocations that have not ended. */
  running(): readonly string[];
  /** The number of invocations that have ended. */
  ended(): number;
}

const holderOf = (input: string): string | undefined => (JSON.parse(input) as { holder?: string }).holder;

/** Ends the execution that holds the lease of the invocation's object. */
const abort = (world: World | undefined, { event }: Invocation): void => {
  const { holder } = (event ?? {}) as { holder?: string };
  const running = world?.laptop.runtime.executions().filter(({ status }) => status === 'RUNNING');
  running?.find(({ input }) => holder !== undefined && holderOf(input) === holder)?.abort();
};

export const watchWorld = async (options: WatchOptions): Promise<WatchedWorld> => {
  const { outdir, former, accountId, faults, faultsAt, notes, scene, scheduler } = options;
  const { say, accuse } = notes;
  let world: World | undefined;
  let calls = 0;
  let ended = 0;
  const running = new Set<Invocation>();
  const adversary = makeAdversary({
    faults,
    faultsAt,
    now: scheduler.now,
    happen: (kind) => void scheduler.after(0, () => scene.happen(kind)),
    later: (milliseconds, act) => void scheduler.after(milliseconds, act),
    abortCaller: (invocation) => abort(world, invocation),
    isRunning: (invocation) => running.has(invocation),
  });
  watchEdge({
    sends: (sending) => {
      const { what, invocation } = sending;
      if (what.isEffect) say(`${invocation.process.name}#${invocation.process.number} ${what.name}`);
      const before = adversary.struck.length;
      adversary.carry(what.isAws ? sending : { ...sending, send: () => void scene.reach(sending) });
      for (const fault of adversary.struck.slice(before)) say(`FAULT ${fault}`);
    },
    prints: ({ process }, text) => accuse(secretBreach(`the log of ${process.name}`, text)),
  });
  world = await startWorld({
    ...{ outdir, former, accountId },
    told: {
      refuses: () => scene.isOn('no concurrency'),
      invoked: (invocation) => {
        const { process, event } = invocation;
        running.add(invocation);
        const { name, number } = process;
        say(`${name}#${number} begins ${purposeOf(invocation)}`);
        if (name !== 'Windlass-api') accuse(secretBreach(`an event for ${name}`, JSON.stringify(event ?? null)));
      },
      answered: ({ process: { name, number } }, failure) =>
        failure && say(`${name}#${number} fails: ${failure.errorType}: ${failure.errorMessage}`),
      ended: (invocation) => {
        running.delete(invocation);
        ended += 1;
      },
    },
    calls: {
      onRequest: (call) => {
        if (!call.functionName) return;
        calls += 1;
        adversary.admit(call);
        scene.admit(call);
      },
    },
    through: outdatedAtTimes({ now: scheduler.now, isOutdated: () => scene.isOn('outdated describes') }),
    onFunctionLog: () => {},
  });
  return {
    ...{ world, adversary },
    calls: () => calls,
    running: () => [...running].map((one) => `${one.process.name} ${purposeOf(one)}`),
    ended: () => ended,
  };
};
