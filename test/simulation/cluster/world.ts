import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { controlPlane } from '../../../functions/cluster/objects/control-plane/control-plane.ts';
import { isChangePlanned } from '../../../functions/cluster/objects/control-plane/planned-change.ts';
import type { ObjectsDependencies } from '../../../functions/cluster/objects/dependencies.ts';
import { report } from '../../../functions/cluster/objects/report.ts';
import { workers } from '../../../functions/cluster/objects/workers/workers.ts';
import type { ProbeDependencies } from '../../../functions/cluster/workload/dependencies.ts';
import { probe } from '../../../functions/cluster/workload/probe.ts';
import { leaveEtcd } from '../../../functions/machine/node/leave-etcd.ts';
import { controllerScopeOf } from '../../../functions/providers/aws/aws-scope.ts';
import { makeWorkloadPort } from '../../../functions/providers/aws/workload-port.ts';
import type { Clock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { makePlainObjects, type PlainObjects } from './plain-objects.ts';
import { connectTo, newWorkload, type Workload } from './workload.ts';

export const CLUSTER = 'quickstart';
export const CONTROL_PLANE = 'quickstart-control-plane';
export const DEPLOYMENT = 'quickstart-md-0';
/** Some clusters have a second group of workers for some time. */
export const SECOND_DEPLOYMENT = 'quickstart-md-1';

/** The steps of a pass that decide and observe, in the order of the workflow. */
const STEPS = ['controlPlane', 'workers', 'probe', 'report'] as const;

/** Using a dependency that is not given throws an Error with its name. */
const only = <T extends object>(what: string, given: Partial<T>): T =>
  new Proxy(given, {
    get: (target, key: string) => {
      if (!(key in target)) throw new Error(`the simulation's ${what} has no ${key}`);
      return (target as Record<string, unknown>)[key];
    },
  }) as T;

export interface SimulatedInstance {
  id: string;
  state: 'running' | 'terminated';
  /** Whether its machine initializes the cluster instead of joining it. */
  initializes: boolean;
}

/** One cluster with its objects, nodes and controllers, on a clock that is advanced manually. */
export interface World {
  now: Date;
  objects: PlainObjects;
  workload: Workload;
  /** The controllers' steps, as in the functions. */
  steps: Record<(typeof STEPS)[number], (checked: boolean) => Promise<unknown>>;
  /** Whether a pass must observe the control plane before it changes its machines. */
  isChangePlanned: () => Promise<boolean>;
  /** Resolves to whether the machine's member has left etcd. */
  leaveEtcd: (machine: KubeObject) => Promise<boolean>;
  /** All instances that were ever launched, by the machine's uid. */
  instances: Map<string, SimulatedInstance>;
  /** Called in the middle of a step. */
  beside: () => void;
  /** The name of the MachineDeployment to which the next change applies. */
  deployment: string;
}

const T3_LARGE: InstanceTypeInfo = {
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  ProcessorInfo: { SupportedArchitectures: ['x86_64'] },
};

const START = Date.parse('2026-01-01T00:00:00Z');

const refOf = (world: World): ClusterRef => {
  const { uid = '' } = world.objects.all(kinds.cluster)[0]?.metadata ?? {};
  return { namespace: 'default', name: CLUSTER, uid };
};

const stepsOf = (world: World, deps: ObjectsDependencies): World['steps'] => {
  const input = { cluster: refOf(world), wanted: 1, holder: 'simulation' };
  const connect = () => connectTo(world.workload);
  const log = only<ProbeDependencies['log']>('log', { warn: () => {} });
  const fleet = () => ({ statesOf: async () => new Map() });
  const capacity = () => ({ instanceType: async () => T3_LARGE, image: async () => undefined });
  const providers = { aws: makeWorkloadPort({ scopeOf: controllerScopeOf, fleet, capacity }) };
  return {
    controlPlane: (checked) => controlPlane(deps)({ ...input, checked }),
    workers: () => workers(deps)(input),
    probe: () => probe({ ...deps, connect, log, providers })(input),
    report: () => report(deps)(input),
  };
};

const leaveOf = (world: World, { objects, work, touch, clock }: ObjectsDependencies) => {
  const pledges = createMemoryPledges({ clock });
  const connect = () => connectTo(world.workload);
  const [cluster] = world.objects.all(kinds.cluster);
  const owner = { clusterName: CLUSTER, clusterUid: cluster?.metadata.uid ?? '' };
  return async ({ metadata }: KubeObject): Promise<boolean> => {
    const machine = { namespace: 'default', name: metadata.name, uid: metadata.uid ?? '', ...owner };
    try {
      const leave = leaveEtcd({ objects, work, touch, pledges, clock, connect });
      const result = await leave({ machine, holder: 'simulation' });
      return result.progress === 'done';
    } catch (error) {
      // After a long wait, the execution ends, and the next pass starts another.
      if ((error as Error).name === 'Refused') return false;
      throw error;
    }
  };
};

/** A world with the objects that a user has applied, in the state before the first machine. */
export const makeWorld = (applied: readonly KubeObject[], seed: number): World => {
  const world = { now: new Date(START), workload: newWorkload(), instances: new Map() } as unknown as World;
  const clock: Clock = {
    now: () => world.now,
    sleep: async (milliseconds) => {
      world.now = new Date(world.now.getTime() + milliseconds);
    },
  };
  world.beside = () => {};
  world.deployment = DEPLOYMENT;
  world.objects = makePlainObjects({ clock, beside: () => world.beside() });
  for (const object of applied) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(`no kind ${object.kind}`);
    world.objects.create(resource, object);
  }
  const deps = only<ObjectsDependencies>('steps', {
    objects: world.objects,
    work: only<ObjectsDependencies['work']>('work', {
      extend: async () => true,
      extendMachine: async () => true,
      // Passes always run.
      touch: async () => ({ wanted: 1, start: false }) as never,
    }),
    touch: async () => {},
    clock,
    random: seededRandom(seed),
  });
  world.steps = stepsOf(world, deps);
  world.isChangePlanned = () => isChangePlanned(deps, refOf(world));
  world.leaveEtcd = leaveOf(world, deps);
  return world;
};

/**
 * The steps of the next pass, in order, including the one that the workflow adds before a change to the control plane.
 */
export const stepsOfPass = async ({ isChangePlanned, steps }: World) => {
  const checked = await isChangePlanned();
  const names = checked ? (['probe', ...STEPS] as const) : STEPS;
  return names.map((name) => ({ name, act: () => steps[name](checked) }));
};
