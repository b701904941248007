/** Processes that write objects and request passes of the clusters concerned, with pledges in between. */
import { makeFindAffected } from '../../../functions/api/find-affected.ts';
import { makeTouchClusters } from '../../../functions/api/touch-clusters.ts';
import { LEASE_SECONDS } from '../../../functions/cluster/objects/begin.ts';
import { touchUnfinished } from '../../../functions/drift/unfinished.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { silentLog } from '../../../shared/log.ts';
import {
  createPledgeStore,
  LONGEST_RUN_MS,
  PLEDGE_GRACE_MS,
  type PledgeStore,
  touchAfter,
} from '../../../shared/store/work/pledges.ts';
import { sweepIndex } from '../../../shared/store/work/work-index.ts';
import type { Play, Stage, StepOf } from './explore.ts';
import { indexOf } from './memory-table.ts';
import { CLUSTER, makePasses, type Passes } from './passes.ts';

const { namespace, name, uid } = CLUSTER;
const OBJECT = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { namespace, name, uid },
  spec: {},
} as KubeObject;

/** The objects: only the Cluster, which exists at all times. */
const CLUSTER_ONLY = {
  kinds: KINDS,
  storage: { get: async () => OBJECT, list: async () => ({ items: [], resourceVersion: '1' }) },
} as never as Parameters<typeof makeFindAffected>[0];

/** Simulates a build whose pledges differ. */
export type Alter = (pledges: PledgeStore, system: ReturnType<Passes['systemOf']>) => PledgeStore;

const kept: Alter = (pledges) => pledges;

const pledgesOf = (
  passes: Passes,
  actor: string,
  system: ReturnType<Passes['systemOf']>,
  alter: Alter,
): PledgeStore => {
  let count = 0;
  const uuid = () => {
    count += 1;
    return `${actor}-${count}`;
  };
  const store = createPledgeStore({ ...system, table: 'objects', clock: passes.clock, random: { uuid } as never });
  return alter(store, system);
};

type Sweep = (step: StepOf, system: ReturnType<Passes['systemOf']>) => Promise<void>;

/** The part of the sweep that finds pledges and unfinished work. */
const sweepOf =
  (passes: Passes, alter: Alter): Sweep =>
  async (step, system) => {
    const { table, clock } = passes;
    // The partitions of the index are read in one step, because the sweep acts only after it has read the last of them.
    const client = indexOf(await step('reads the index', () => table.items()));
    const { open } = createPledgeStore({ client, table: 'objects', clock, random: {} as never });
    const deps = {
      work: sweepIndex({ client, table: 'objects', clock }),
      pledges: alter({ ...pledgesOf(passes, 'sweep', system, kept), open }, system),
      touch: system.touch,
      affected: makeFindAffected(CLUSTER_ONLY).ofPledge,
      ...{ clock, log: silentLog },
    };
    const faults: unknown[] = [];
    await touchUnfinished(deps as never, { faults } as never);
    if (faults.length > 0) throw faults[0];
  };

export interface Case {
  writers: readonly ('user' | 'event')[];
  /** Whether a sweep begins at any moment, half a minute after the pledges that were given before. */
  isSwept: boolean;
}

export const BOTH: Case = { writers: ['user', 'event'], isSwept: false };
export const SWEPT: Case = { writers: ['user'], isSwept: true };

/** A user who writes an object through the API, and an event that is recorded in an object. Each concerns the cluster. */
export const writersOf =
  ({ writers, isSwept }: Case, alter: Alter = kept) =>
  (stage: Stage): Play => {
    const passes = makePasses(stage);
    const { scene, table, clock, item } = passes;
    const sweep = sweepOf(passes, alter);
    const write = (step: StepOf) =>
      step('changes what is desired', () => {
        scene.desired += 1;
      });
    const play = {
      user: async (step: StepOf) => {
        const system = passes.systemOf(step);
        const pledges = pledgesOf(passes, 'user', system, alter);
        const follow = makeTouchClusters({ ...CLUSTER_ONLY, touch: system.touch, pledges, clock, log: silentLog });
        const event = { type: 'updated', resource: kinds.cluster, object: OBJECT } as const;
        const followed = await follow(event);
        await write(step);
        await followed?.written(event);
      },
      event: async (step: StepOf) => {
        const system = passes.systemOf(step);
        const deps = { touch: system.touch, pledges: pledgesOf(passes, 'event', system, alter) };
        await touchAfter(deps, [CLUSTER], async () => {
          await write(step);
          return [CLUSTER];
        });
      },
    };
    for (const writer of writers) stage.begin(writer, play[writer]);

    const pledges = () => table.items().filter(({ pledge }) => pledge !== undefined);
    const isFound = () => scene.converged === scene.desired || pledges().length > 0 || item()?.dueShard !== undefined;
    const sweepAlone = async (): Promise<void> => {
      await sweep(async (_, act) => act(), passes.alone());
      await passes.runStarted();
    };
    const passTime = (): void => {
      passes.advance(PLEDGE_GRACE_MS);
      stage.begin('sweep', (step) => sweep(step, passes.systemOf(step)));
    };
    return {
      state: () => JSON.stringify([scene, clock.now(), table.items()]),
      judge: () => [...passes.judge(), ...(isFound() ? [] : ['a change that no sweep would find'])],
      judgeEnd: async (crashed) => {
        const isOnTime = crashed > 0 || (scene.converged === scene.desired && pledges().length === 0);
        passes.advance(LEASE_SECONDS * 1000 + PLEDGE_GRACE_MS);
        await sweepAlone();
        const isCarriedOut = scene.converged === scene.desired;
        passes.advance(LONGEST_RUN_MS);
        await sweepAlone();
        return [
          ...(isOnTime ? [] : ['a sweep is needed although nobody has crashed']),
          ...(isCarriedOut ? [] : ['a change is not carried out after a sweep']),
          ...pledges().map(({ pledge }) => `the pledge ${pledge} stays`),
        ];
      },
      ...(isSwept ? { passTime } : {}),
    };
  };
