/** A world whose functions are observed and disturbed. */

import type { Call as WireCall } from '../../../infra/local/engines/wire/call.ts';
import type { Scene } from './actors/happenings.ts';
import { watchEdge } from './boundary.ts';
import { outdatedAtTimes } from './faults/descriptions.ts';
import { restOperation } from './faults/effects.ts';
import { type Adversary, makeAdversary } from './faults/faults.ts';
import type { Fault } from './faults/kinds.ts';
import type { Sending } from './faults/strikes.ts';
import { refuseAtServer } from './faults/workload-answers.ts';
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
  /** Determines what exactly some faults do. */
  seed: number;
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

/** Ends the execution that holds the lease of the invocation's object. False if there is none. */
const abort = (world: World | undefined, { event }: Invocation): boolean => {
  const { holder } = (event ?? {}) as { holder?: string };
  const running = world?.laptop.runtime.executions().filter(({ status }) => status === 'RUNNING');
  const caller = running?.find(({ input }) => holder !== undefined && holderOf(input) === holder);
  caller?.abort();
  return caller !== undefined;
};

interface SecretInput {
  Name?: string;
  SecretString?: string;
  SecretBinary?: Uint8Array;
}

/** The operation of a call. A call that the simulated AWS forwards has no name for it. */
const operationOf = ({ service, operation, request }: WireCall): string =>
  operation || restOperation(service, request.method, `${request.url.pathname}${request.url.search}`);

export const watchWorld = async (options: WatchOptions): Promise<WatchedWorld> => {
  const { outdir, former, accountId, faults, faultsAt, seed, notes, canaries, scene, scheduler } = options;
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
    seed,
    now: scheduler.now,
    tell: say,
    happen: (kind, onIdle) => void scheduler.after(0, () => scene.happen(kind, onIdle)),
    later: (milliseconds, act) => void scheduler.after(milliseconds, act),
    abortCaller: (invocation) => abort(world, invocation),
    isRunning: (invocation) => running.has(invocation),
  });
  /** Refuses a request to the API server of the workload cluster. False if it is not refused. */
  const refused =
    ({ what, request }: Sending) =>
    (): boolean => {
      const refusal = adversary.refusalOf(what.name);
      if (refusal) refuseAtServer(request, refusal);
      return refusal !== undefined;
    };
  watchEdge({
    sends: (sending) => {
      const { what, invocation } = sending;
      if (what.isEffect) say(`${invocation.process.name}#${invocation.process.number} ${what.name}`);
      adversary.carry(what.isAws ? sending : { ...sending, send: () => void scene.reach(sending, refused(sending)) });
    },
    prints: ({ process }, text) => check(`the log of ${process.name}`, text),
  });
  world = await startWorld({
    ...{ outdir, former, accountId },
    told: {
      refuses: () => scene.affects('no concurrency'),
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
        const named = { service: call.service, operation: operationOf(call) };
        adversary.admit(named);
        scene.admit(named);
      },
    },
    through: outdatedAtTimes({
      now: scheduler.now,
      isOutdated: () => scene.isOn('outdated describes'),
      onOutdated: () => void scene.affects('outdated describes'),
    }),
    onFunctionLog: () => {},
  });
  return {
    ...{ world, adversary },
    calls: () => calls,
    running: () => [...running].map((one) => `${one.process.name} ${purposeOf(one)}`),
    ended: () => ended,
  };
};
