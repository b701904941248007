/** A world whose functions are observed and disturbed. */

import type { Scene } from './actors/happenings.ts';
import { watchEdge } from './boundary.ts';
import { outdatedAtTimes } from './faults/descriptions.ts';
import { type Adversary, makeAdversary } from './faults/faults.ts';
import type { Fault } from './faults/kinds.ts';
import { type Invocation, purposeOf } from './invocations.ts';
import type { Notes } from './notes.ts';
import type { Canaries } from './verdicts/canaries.ts';
import { foreignBreaches } from './verdicts/foreign.ts';
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
  /** Learns the values in Secrets Manager, and is told what functions get, return and print. */
  canaries: Canaries;
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

/** Users write and read Secrets through this function. */
const API = 'Windlass-api';

/** Learns the value that a request writes to Secrets Manager. */
const learnValue = (canaries: Canaries, { Name = '', SecretString, SecretBinary }: SecretInput): void => {
  const value = SecretString ?? SecretBinary;
  if (value !== undefined) canaries.learn(`the value of ${Name}`, value);
};

const holderOf = (input: string): string | undefined => (JSON.parse(input) as { holder?: string }).holder;

/** Ends the execution that holds the lease of the invocation's object. */
const abort = (world: World | undefined, { event }: Invocation): void => {
  const { holder } = (event ?? {}) as { holder?: string };
  const running = world?.laptop.runtime.executions().filter(({ status }) => status === 'RUNNING');
  running?.find(({ input }) => holder !== undefined && holderOf(input) === holder)?.abort();
};

interface SecretInput {
  Name?: string;
  SecretString?: string;
  SecretBinary?: Uint8Array;
}

export const watchWorld = async (options: WatchOptions): Promise<WatchedWorld> => {
  const { outdir, former, accountId, faults, faultsAt, notes, canaries, scene, scheduler } = options;
  const { say, accuse } = notes;
  let world: World | undefined;
  let calls = 0;
  let ended = 0;
  const running = new Set<Invocation>();
  const check = (where: string, text: string): void => {
    accuse(secretBreach(where, text));
    canaries.tell(where, text);
  };
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
    prints: ({ process }, text) => check(`the log of ${process.name}`, text),
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
        if (name !== API) check(`an event for ${name}`, JSON.stringify(event ?? null));
      },
      answered: ({ process: { name, number } }, { output = '', failure }) => {
        if (name !== API) check(`the output of ${name}`, output);
        if (failure === undefined) return;
        say(`${name}#${number} fails: ${failure.errorType}: ${failure.errorMessage}`);
        check(`an error of ${name}`, failure.errorMessage);
      },
      ended: (invocation) => {
        running.delete(invocation);
        ended += 1;
      },
    },
    calls: {
      onRequest: (call, input) => {
        if (!call.functionName) return;
        if (call.service === 'secretsmanager') learnValue(canaries, input);
        calls += 1;
        if (world) accuse(foreignBreaches(world.account, call, { ...input }));
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
