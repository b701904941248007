import {
  type KubeadmControlPlane,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineSet,
} from '../../../shared/kinds/index.ts';
import { inProgress } from '../../../shared/plan/control-plane/remediation-data.ts';
import { readNotice } from '../../../shared/plan/instance-events/notice.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { boundsOf } from '../../../shared/plan/rollout/bounds.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { isMarked } from '../../../shared/plan/workers/deletion-order.ts';
import { instanceFacts } from '../../../shared/providers/aws/plan/instance-facts.ts';
import { inSpiteOfAlarm, oneAtATime, showsAlarm, whileHeld } from './control-plane-rules.ts';
import { nodeNameOf } from './life.ts';
import { takesWrites } from './workload.ts';
import type { World } from './world.ts';

const isDeleting = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;
const isAvailable = (machine: Machine): boolean =>
  !isDeleting(machine) && isTrue(machine.status?.conditions, 'Available');

interface Decided {
  total: number;
  available: number;
}

/** The effects of a set's decisions on its own machines. */
const decidedBy = (set: MachineSet, own: readonly Machine[]): Decided => {
  const staying = own.filter((machine) => !isDeleting(machine));
  const isAtRisk = (machine: Machine) => readNotice(machine) !== undefined;
  const wanted = set.metadata.deletionTimestamp ? 0 : (set.spec.replicas ?? 0);
  // A set that is scaled down to zero does not replace machines first.
  const atRisk = wanted > 0 ? staying.filter(isAtRisk) : [];
  const others = own.filter((machine) => isAvailable(machine) && !atRisk.includes(machine)).length;
  const held = Math.min(atRisk.filter(isAvailable).length, Math.max(0, wanted - others));
  const leaving = Math.max(0, staying.length - atRisk.length - staying.filter(isMarked).length - wanted);
  return {
    total: Math.max(wanted, own.length - own.filter(isAtRisk).length),
    available: others + held - Math.min(others + held, leaving),
  };
};

/**
 * The effects of the controllers' decisions on a deployment's machines: a machine that is wanted counts as existing,
 * and a machine that must be deleted counts as an available one. A machine whose instance was terminated exists only as
 * an object. A machine that a user has marked is deleted first on request. A machine whose instance will end is kept
 * until an additional one is available.
 */
const decidedOf = (world: World, deployment: MachineDeployment): Decided => {
  const infrastructure = new Map(world.objects.all(kinds.awsMachine).map((one) => [one.metadata.name, one]));
  const isLost = ({ metadata }: Machine) => {
    const found = infrastructure.get(metadata.name);
    return found !== undefined && instanceFacts(found).gone;
  };
  const machines = world.objects.all(kinds.machine).filter((machine) => !isLost(machine));
  const isOwned = ({ metadata }: MachineSet) =>
    metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid);
  const sets = world.objects.all(kinds.machineSet).filter(isOwned);
  const decided = sets.map((set) =>
    decidedBy(
      set,
      machines.filter((machine) => machine.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid)),
    ),
  );
  const sum = (key: 'total' | 'available') => decided.reduce((all, set) => all + set[key], 0);
  return { total: sum('total'), available: sum('available') };
};

/** Whether a worker is ready, but has not been ready for long enough to be available. */
const isAnyMaturing = ({ objects }: World): boolean =>
  objects
    .all(kinds.machine)
    .some(
      (machine) =>
        !isControlPlaneMachine(machine) && isTrue(machine.status?.conditions, 'Ready') && !isAvailable(machine),
    );

interface Bounds {
  most: number;
  fewest: number;
}

const NO_BOUNDS: Bounds = { most: Number.POSITIVE_INFINITY, fewest: 0 };

const wantedBounds = (deployment: MachineDeployment): Bounds => {
  if (deployment.metadata.deletionTimestamp) return NO_BOUNDS;
  const { replicas, maxSurge, maxUnavailable } = boundsOf(deployment);
  return { most: replicas + maxSurge, fewest: replicas - maxUnavailable };
};

/**
 * The number of machines that must stay available. A paused deployment whose surge a user has reduced deletes the
 * excess machines, distributed among its sets, whether they are available or not: like Cluster API's `scale`, which
 * comes from Kubernetes' Deployment. With the strategy OnDelete, Cluster API deletes any number of excess machines
 * regardless of their availability (machinedeployment_rollout_ondelete.go). Its deletion order does not distinguish
 * available machines from those that have not been ready for long enough.
 */
const fewestOf = (
  world: World,
  { spec: { replicas = 1, rollout, paused } }: MachineDeployment,
  { most, fewest }: Bounds,
  total: number,
): number => {
  if (rollout?.strategy?.type === 'OnDelete') return 0;
  if (paused) return fewest - Math.max(total - most, 0);
  return isAnyMaturing(world) ? fewest - Math.max(total - replicas, 0) : fewest;
};

const controlPlaneOf = (world: World) => {
  const [owner] = world.objects.all(kinds.kubeadmControlPlane) as KubeadmControlPlane[];
  const machines = world.objects.all(kinds.machine).filter(isControlPlaneMachine);
  return { owner, machines, formed: owner?.status?.initialization?.controlPlaneInitialized === true };
};

/** Machines with the same instance, machines without an existing owner, and instances without a machine. */
const structureBreaches = (world: World): string[] => {
  const machines = world.objects.all(kinds.machine);
  const owners = new Set(
    [...world.objects.all(kinds.machineSet), ...world.objects.all(kinds.kubeadmControlPlane)].map(
      (o) => o.metadata.uid,
    ),
  );
  const orphans = machines.filter(
    ({ metadata }) => !metadata.ownerReferences?.some(({ controller, uid }) => controller && owners.has(uid)),
  );
  const uids = new Set(machines.map(({ metadata }) => metadata.uid));
  const stray = [...world.instances].filter(([uid, { state }]) => state === 'running' && !uids.has(uid));
  const ids = machines.flatMap(({ spec }) => spec.providerID ?? []);
  return [
    ...orphans.map(({ metadata }) => `machine ${metadata.name} has no owner`),
    ...stray.map(([, { id }]) => `instance ${id} runs without a machine`),
    ...(new Set(ids).size < ids.length ? ['two machines have one provider id'] : []),
  ];
};

/**
 * The machine of a terminated instance must have left etcd first, unless the controllers did not terminate it, or had
 * not observed the cluster yet. No cluster may be created while another one is alive.
 */
const etcdBreaches = (world: World, killed: Set<string>): string[] => {
  const { etcd, abandoned } = world.workload;
  const twins = abandoned.map((name) => `${name} lives in a cluster beside which another was made`);
  if (!etcd) return twins;
  if (!controlPlaneOf(world).formed) {
    for (const { id, state } of world.instances.values()) if (state === 'terminated') killed.add(id);
    return twins;
  }
  const dead = [...world.instances.values()].filter(({ id, state }) => state === 'terminated' && !killed.has(id));
  const members = new Set(etcd.names());
  return [
    ...twins,
    ...(etcd.hasQuorum() ? [] : [`etcd has no quorum: ${JSON.stringify(etcd.members())}`]),
    ...dead.filter(({ id }) => members.has(nodeNameOf(id))).map(({ id }) => `${id} went before it had left etcd`),
  ];
};

export interface Judge {
  /**
   * Must be called when something happens that the controllers have not decided: the bounds do not apply to the step in
   * which it happens.
   */
  disturbed(): void;
  /** Records the state before a step. */
  before(): void;
  /** The violations of the step. */
  after(step: string): string[];
  /** Instances that were terminated by a disturbance. */
  killed: Set<string>;
}

/** Determines whether the controllers' changes were allowed. */
export const makeJudge = (world: World): Judge => {
  let bounds = new Map<string, Bounds>();
  let machines: Machine[] = [];
  let formed = false;
  let isHeld = false;
  let isRemediating = false;
  // According to the last probe. A remediation that has begun may be completed despite the alarm.
  let hasAlarm = false;
  let isDisturbed = false;
  let marked = new Set<string>();
  const killed = new Set<string>();
  const workerBreaches = (deployment: MachineDeployment): string[] => {
    const { most, fewest } = bounds.get(deployment.metadata.uid ?? '') ?? NO_BOUNDS;
    const { total, available: left } = decidedOf(world, deployment);
    const wished = world.objects.all(kinds.machine).filter((m) => isDeleting(m) && marked.has(m.metadata.uid ?? ''));
    const available = left + wished.length;
    return [
      ...(total > most ? [`${total} workers exist or are wanted, ${most} are allowed`] : []),
      ...(available < fewest ? [`${available} workers may be left, ${fewest} are required`] : []),
    ];
  };
  // If a disturbance has violated the bounds, the state must not get worse.
  const boundsNow = (deployment: MachineDeployment): Bounds => {
    const { total, available } = decidedOf(world, deployment);
    const wanted = wantedBounds(deployment);
    const fewest = fewestOf(world, deployment, { ...wanted, fewest: Math.min(wanted.fewest, available) }, total);
    return { most: Math.max(wanted.most, total), fewest };
  };
  const controlPlaneBreach = (now: readonly Machine[]): string | undefined => {
    const isFull = hasAlarm && !isRemediating && !takesWrites(world.workload);
    return (
      (isHeld ? whileHeld(machines, now) : undefined) ??
      (formed ? oneAtATime(world, machines, now) : undefined) ??
      (isFull ? inSpiteOfAlarm(machines, now) : undefined)
    );
  };
  return {
    killed,
    disturbed: () => {
      isDisturbed = true;
    },
    before: () => {
      isDisturbed = false;
      const chosen = world.objects.all(kinds.machine).filter((machine) => isAvailable(machine) && isMarked(machine));
      marked = new Set(chosen.map(({ metadata }) => metadata.uid ?? ''));
      const found = controlPlaneOf(world);
      ({ machines, formed } = found);
      isHeld = found.owner !== undefined && isObjectPaused(found.owner);
      isRemediating = found.owner !== undefined && inProgress(found.owner) !== undefined;
      const deployments = world.objects.all(kinds.machineDeployment);
      bounds = new Map(deployments.map((one) => [one.metadata.uid ?? '', boundsNow(one)]));
    },
    after: (step) => {
      const changed = controlPlaneBreach(controlPlaneOf(world).machines);
      if (step === 'probe') hasAlarm = !isDisturbed && showsAlarm(world, machines);
      const ofWorkers = step === 'workers' ? world.objects.all(kinds.machineDeployment).flatMap(workerBreaches) : [];
      const decided = [...ofWorkers, ...(changed ? [changed] : [])];
      return [...(isDisturbed ? [] : decided), ...etcdBreaches(world, killed), ...structureBreaches(world)];
    },
  };
};
