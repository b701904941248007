import type { Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import { desiredWorkerMachine } from '../../../shared/plan/machines/desired.ts';
import { planDeployment } from '../../../shared/plan/rollout/plan.ts';
import { isTrue, withConditions } from '../../../shared/plan/status/conditions.ts';
import { planMachineSetScale } from '../../../shared/plan/workers/scale.ts';

/** Only the objects of a rollout: a deployment, its sets, their machines, and a clock that is advanced manually. */
export interface World {
  now: Date;
  deployment: MachineDeployment;
  sets: MachineSet[];
  machines: Machine[];
  /** The names of sets and machines in the transcript, in order of creation. */
  labels: Map<string, string>;
  given: Record<'set-' | 'm', number>;
  /** The names of machines that never become available. */
  broken: Set<string>;
  /** Machines with this version never become available either. */
  failingVersion?: string;
}

export interface Shape {
  replicas: number;
  maxSurge?: number | string;
  maxUnavailable?: number | string;
  strategy?: 'RollingUpdate' | 'OnDelete';
  order?: 'Random' | 'Newest' | 'Oldest';
}

const START = Date.parse('2026-01-01T00:00:00Z');

const newDeployment = ({ replicas, maxSurge, maxUnavailable, strategy, order }: Shape): MachineDeployment =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { namespace: 'default', name: 'workers', uid: 'workers-uid' },
    spec: {
      clusterName: 'demo',
      replicas,
      selector: { matchLabels: { pool: 'workers' } },
      rollout: {
        strategy:
          strategy === 'OnDelete'
            ? { type: 'OnDelete' }
            : {
                type: 'RollingUpdate',
                rollingUpdate: { maxSurge: maxSurge ?? 1, maxUnavailable: maxUnavailable ?? 0 },
              },
      },
      ...(order ? { deletion: { order } } : {}),
      template: {
        metadata: { labels: { pool: 'workers' } },
        spec: {
          clusterName: 'demo',
          version: 'v1.34.0',
          bootstrap: { configRef: { apiGroup: 'b', kind: 'KubeadmConfigTemplate', name: 'workers' } },
          infrastructureRef: { apiGroup: 'i', kind: 'AWSMachineTemplate', name: 'workers' },
        },
      },
    },
  }) as MachineDeployment;

export const newWorld = (shape: Shape): World => ({
  now: new Date(START),
  deployment: newDeployment(shape),
  sets: [],
  machines: [],
  labels: new Map(),
  given: { 'set-': 0, m: 0 },
  broken: new Set(),
});

export const labelOf = ({ labels }: World, name: string): string => labels.get(name) ?? name;
/** A later object may reuse a name. */
const give = (world: World, name: string, prefix: 'set-' | 'm'): string => {
  world.given[prefix] += 1;
  world.labels.set(name, `${prefix}${world.given[prefix]}`);
  return labelOf(world, name);
};

export const machinesOf = ({ machines }: World, set: MachineSet): Machine[] =>
  machines.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid));

export const isAvailable = ({ metadata, status }: Machine): boolean =>
  !metadata.deletionTimestamp && isTrue(status?.conditions, 'Available');

const created = <T extends MachineSet | Machine>(world: World, object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: `uid-${object.metadata.name}`, creationTimestamp: world.now.toISOString() },
});

/** One reconciliation of the deployment. Returns its actions. */
export const reconcileDeployment = (world: World): string[] => {
  const plan = planDeployment({
    deployment: world.deployment,
    sets: world.sets,
    machinesOf: (set) => machinesOf(world, set),
    now: world.now,
  });
  const lines: string[] = [];
  if (plan.create) {
    const set = created(world, plan.create);
    lines.push(`makes ${give(world, set.metadata.name, 'set-')}`);
    world.sets.push(set);
  }
  for (const { set, replicas, reason } of plan.scale) {
    const before = world.sets.find(({ metadata }) => metadata.name === set)?.spec.replicas ?? 0;
    lines.push(
      `scales ${labelOf(world, set)} from ${plan.create?.metadata.name === set ? 0 : before} to ${replicas}: ${reason}`,
    );
  }
  for (const next of plan.update) {
    world.sets = world.sets.map((set) => (set.metadata.name === next.metadata.name ? next : set));
  }
  for (const name of plan.remove) {
    lines.push(`deletes ${labelOf(world, name)}, which is empty`);
    world.sets = world.sets.filter(({ metadata }) => metadata.name !== name);
  }
  return lines;
};

/** One reconciliation of a set. Returns its actions. */
export const reconcileSet = (world: World, set: MachineSet): string[] => {
  const plan = planMachineSetScale({ set, machines: machinesOf(world, set), instances: new Map(), now: world.now });
  const made = plan.create.map((name) => {
    world.machines.push(created(world, desiredWorkerMachine(set, undefined, name)));
    return give(world, name, 'm');
  });
  for (const name of plan.remove) deleteMachine(world, name);
  const gone = plan.remove.map((name) => labelOf(world, name));
  return [
    ...(made.length > 0 ? [`creates ${made.join(' ')}`] : []),
    ...(gone.length > 0 ? [`deletes ${gone.join(' ')}`] : []),
  ];
};

export const deleteMachine = (world: World, name: string): void => {
  world.machines = world.machines.map((machine) =>
    machine.metadata.name === name && !machine.metadata.deletionTimestamp
      ? { ...machine, metadata: { ...machine.metadata, deletionTimestamp: world.now.toISOString() } }
      : machine,
  );
};

const withAvailability = (world: World, machine: Machine, status: 'True' | 'False'): Machine => ({
  ...machine,
  status: {
    ...machine.status,
    nodeRef: { name: machine.metadata.name },
    conditions: withConditions(
      machine.status?.conditions,
      [
        { type: 'Available', status, reason: status === 'True' ? 'Available' : 'NotReady', message: '' },
        { type: 'NodeHealthy', status, reason: 'Simulated', message: '' },
      ],
      1,
      world.now,
    ),
  } as Machine['status'],
});

const change = (world: World, name: string, next: (machine: Machine) => Machine): void => {
  world.machines = world.machines.map((machine) => (machine.metadata.name === name ? next(machine) : machine));
};

/** Makes a machine fail permanently. */
export const breakMachine = (world: World, name: string): void => {
  world.broken.add(name);
  change(world, name, (machine) => withAvailability(world, machine, 'False'));
};

/** The next stage of a machine's lifecycle: it becomes available, or is deleted. Returns the actions. */
export const advanceMachine = (world: World, { metadata, spec, status }: Machine): string[] => {
  if (metadata.deletionTimestamp) {
    world.machines = world.machines.filter((machine) => machine.metadata.name !== metadata.name);
    return ['is gone'];
  }
  if (isTrue(status?.conditions, 'Available')) return [];
  if (world.broken.has(metadata.name) || spec.version === world.failingVersion) return [];
  change(world, metadata.name, (machine) => withAvailability(world, machine, 'True'));
  return ['is available'];
};
