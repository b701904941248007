/**
 * One cluster with its work item in a table in memory, and the passes over it, with the real code of both. A pass reads
 * how many changes users have made, and carries them out.
 */
import { LEASE_SECONDS } from '../../../functions/cluster/objects/begin.ts';
import { nextPass } from '../../../functions/cluster/objects/finish/next-pass.ts';
import { clusterLeases } from '../../../shared/store/work/cluster-leases.ts';
import { createTouch } from '../../../shared/store/work/executions.ts';
import { isLeased, type StoredWork } from '../../../shared/store/work/work-item.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import type { Stage, StepOf } from './explore.ts';
import { type Command, clientOf, type MemoryTable, makeMemoryTable, type TableOptions } from './memory-table.ts';

export const CLUSTER: ClusterRef = { namespace: 'default', name: 'one', uid: 'u' };
export const BEGINNING = Date.parse('2030-01-01T00:00:00Z');

interface Scene {
  /** The number of changes that users have made. */
  desired: number;
  /** The number of changes that the last completed pass has seen. */
  converged: number;
  /** The number of requests that were recorded. */
  touched: number;
  started: string[];
}

interface UpdateInput {
  UpdateExpression: string;
  ConditionExpression?: string;
  ExpressionAttributeValues: Record<string, unknown>;
}

/** Simulates a build whose updates of the work item differ. */
export type AlterUpdate = (input: UpdateInput, item: { isLeased: boolean }) => UpdateInput;

export interface PassesOptions extends TableOptions {
  alter?: AlterUpdate;
}

const immediately: StepOf = async (_, act) => act();

export interface Passes {
  table: MemoryTable;
  scene: Scene;
  clock: { now(): Date; sleep(): Promise<void> };
  advance(milliseconds: number): void;
  /** The stored work item of the cluster. */
  item(): StoredWork | undefined;
  /** The real code over the table, with a step for each of its calls. Passes that it starts are further actors. */
  systemOf(step: StepOf): {
    client: ReturnType<typeof clientOf>;
    work: ReturnType<typeof clusterLeases>;
    touch: ReturnType<typeof createTouch>;
  };
  /** Like `systemOf`, after all actors have ended: every call happens immediately. */
  alone(): ReturnType<Passes['systemOf']>;
  /** Completes the passes that `alone` has started, and those that follow. */
  runStarted(): Promise<void>;
  /** Violations of what must hold in every state. */
  judge(): string[];
}

export const makePasses = ({ begin }: Stage, { alter = (input) => input, ...options }: PassesOptions = {}): Passes => {
  const table = makeMemoryTable(options);
  const scene: Scene = { desired: 0, converged: 0, touched: 0, started: [] };
  /** The end of the lease of each running pass. */
  const leases = new Map<string, number>();
  let now = BEGINNING;
  const clock = { now: () => new Date(now), sleep: async () => {} };
  const item = () => table.items().find(({ wanted }) => wanted !== undefined) as unknown as StoredWork | undefined;
  const run = (command: Command): unknown => {
    if (command.constructor.name !== 'UpdateCommand') return table.run(command);
    const stored = item();
    const isHeld = stored !== undefined && isLeased(stored, clock.now());
    const input = alter(command.input as UpdateInput, { isLeased: isHeld });
    return table.run({ constructor: command.constructor, input });
  };

  type Start = (name: string, play: (step: StepOf) => Promise<void>) => void;
  const systemWith = (step: StepOf, start: Start) => {
    const client = clientOf((command) => step(command.constructor.name, () => run(command)));
    const leasesOf = clusterLeases({ client, table: 'objects', clock });
    const work: typeof leasesOf = {
      ...leasesOf,
      touch: async (...given) => {
        const touched = await leasesOf.touch(...given);
        scene.touched += 1;
        return touched;
      },
    };
    const executions = {
      startConverge: (_: ClusterRef, wanted: number) =>
        step('StartExecution', () => {
          const holder = `${CLUSTER.uid}-${wanted}`;
          if (scene.started.includes(holder)) return false;
          scene.started.push(holder);
          start(`pass ${wanted}`, (own) => pass(systemWith(own, start), own, wanted, holder));
          return true;
        }),
    };
    return { client, work, touch: createTouch({ work, executions }) };
  };
  const pass = async (
    { work, touch }: ReturnType<typeof systemWith>,
    step: StepOf,
    wanted: number,
    holder: string,
  ): Promise<void> => {
    const until = now + LEASE_SECONDS * 1000;
    const begun = await work.begin(CLUSTER, holder, LEASE_SECONDS);
    if (!begun.acquired) return;
    leases.set(holder, until);
    const seen = await step('reads what is desired', () => scene.desired);
    await step('carries it out', () => {
      scene.converged = Math.max(scene.converged, seen);
    });
    leases.delete(holder);
    const end = await work.finish(CLUSTER, holder, begun.wanted);
    await nextPass({ touch }, { cluster: CLUSTER, wanted, holder, seen: begun.wanted }, end, 0);
  };

  const started: (() => Promise<void>)[] = [];
  return {
    table,
    scene,
    clock,
    item,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    systemOf: (step) => systemWith(step, begin),
    alone: () => systemWith(immediately, (_, play) => void started.push(() => play(immediately))),
    runStarted: async () => {
      for (let next = started.shift(); next; next = started.shift()) await next();
    },
    judge: () => {
      const { wanted = 0, done = 0, holder, dueShard } = item() ?? {};
      const atWork = [...leases].filter(([, until]) => until > now).map(([name]) => name);
      return [
        ...(atWork.length > 1 ? [`${atWork.length} passes have the lease`] : []),
        ...atWork.flatMap((name) => (name === holder ? [] : [`${name} works without its lease`])),
        ...(done > wanted ? [`done ${done} is more than wanted ${wanted}`] : []),
        ...(wanted < scene.touched ? [`${scene.touched} touches, of which ${wanted} were counted`] : []),
        ...(holder !== undefined && dueShard === undefined ? ['a lease is not in the index that the sweep reads'] : []),
      ];
    },
  };
};
