import { type KubeadmControlPlane, kinds, type Machine, type MachineDeployment } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { boundsOf } from '../../../shared/plan/rollout/bounds.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { isMarked } from '../../../shared/plan/workers/deletion-order.ts';
import { instanceFacts } from '../../../shared/providers/aws/plan/instance-facts.ts';
import { nodeNameOf } from './life.ts';
import type { World } from './world.ts';

const isDeleting = ({ metadata }: Machine): boolean => metadata.deletionTimestamp !== undefined;
const isAvailable = (machine: Machine): boolean =>
  !isDeleting(machine) && isTrue(machine.status?.conditions, 'Available');

/**
 * What controllers have decided about a deployment's machines: a desired machine exists, one that is to be deleted is
 * an available one. One whose instance was terminated exists only as an object, and one that a user has marked is
 * deleted first on request.
 */
const decidedOf = (world: World): { total: number; available: number } => {
  const infrastructure = new Map(world.objects.all(kinds.awsMachine).map((one) => [one.metadata.name, one]));
  const isLost = ({ metadata }: Machine) => {
    const found = infrastructure.get(metadata.name);
    return found !== undefined && instanceFacts(found).gone;
  };
  const machines = world.objects.all(kinds.machine).filter((machine) => !isLost(machine));
  const sets = world.objects.all(kinds.machineSet).map((set) => {
    const own = machines.filter((m) => m.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid));
    const live = own.filter((machine) => !isDeleting(machine)).length;
    const wanted = set.metadata.deletionTimestamp ? 0 : (set.spec.replicas ?? 0);
    const available = own.filter(isAvailable).length;
    const leaving = live - own.filter((machine) => !isDeleting(machine) && isMarked(machine)).length - wanted;
    return { total: Math.max(wanted, own.length), available: available - Math.min(available, Math.max(leaving, 0)) };
  });
  const sum = (key: 'total' | 'available') => sets.reduce((all, set) => all + set[key], 0);
  return { total: sum('total'), available: sum('available') };
};

/** Whether a worker is ready, but not for long enough to be available. */
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

const wantedBounds = (deployment: MachineDeployment | undefined): Bounds => {
  if (!deployment) return { most: Number.POSITIVE_INFINITY, fewest: 0 };
  const { replicas, maxSurge, maxUnavailable } = boundsOf(deployment);
  return { most: replicas + maxSurge, fewest: replicas - maxUnavailable };
};

/**
 * What has to stay available. A paused deployment whose surge a user has reduced deletes the excess machines, each set
 * its share, available or not: like Cluster API's `scale`, which is that of Kubernetes' Deployment. With the strategy
 * OnDelete, Cluster API deletes any number of excess machines without looking at their availability
 * (machinedeployment_rollout_ondelete.go). Its order of deletion does not distinguish available machines from those that
 * are not ready long enough.
 */
const fewestOf = (world: World, { most, fewest }: Bounds, total: number): number => {
  const [deployment] = world.objects.all(kinds.machineDeployment);
  const { replicas = 1, rollout, paused } = deployment?.spec ?? {};
  if (rollout?.strategy?.type === 'OnDelete') return 0;
  if (paused) return fewest - Math.max(total - most, 0);
  return isAnyMaturing(world) ? fewest - Math.max(total - replicas, 0) : fewest;
};

const controlPlaneOf = (world: World) => {
  const [owner] = world.objects.all(kinds.kubeadmControlPlane) as KubeadmControlPlane[];
  const machines = world.objects.all(kinds.machine).filter(isControlPlaneMachine);
  return { owner, machines, formed: owner?.status?.initialization?.controlPlaneInitialized === true };
};

/** Machines with the same instance, machines whose owner does not exist, and instances that belong to no machine. */
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
 * not observed the cluster yet. No cluster is created beside another that is alive.
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

/** Whether a machine's member of etcd is dead, so that its removal can only improve etcd. */
const isSilent = ({ workload }: World, { status }: Machine): boolean =>
  workload.etcd?.members().some(({ name, alive }) => name === status?.nodeRef?.name && !alive) === true;

/** Whether a machine may still become a node, as far as health checks have reported. */
const isJoining = ({ status }: Machine): boolean =>
  !status?.nodeRef && findCondition(status?.conditions, 'HealthCheckSucceeded')?.status !== 'False';

/**
 * Changes of a formed control plane's machines that were made together, or while another was in progress; but a machine
 * that cannot make progress may be deleted at any time, and one is made if all others are being deleted. One that a
 * health check has given up no longer joins, and nothing waits for it.
 */
const oneAtATime = (world: World, before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const names = new Set(before.map(({ metadata }) => metadata.uid));
  const made = after.filter(({ metadata }) => !names.has(metadata.uid));
  const going = after.filter(
    (machine) => isDeleting(machine) && !before.some((b) => b.metadata.uid === machine.metadata.uid && isDeleting(b)),
  );
  const changed = made.length + going.length;
  if (changed === 0) return undefined;
  if (changed > 1) return `${changed} control plane machines are changed at once`;
  // A step may act after it has observed a node: what counts is what it knew.
  const known = (machine: Machine) => after.find(({ metadata }) => metadata.uid === machine.metadata.uid) ?? machine;
  const isUnderWay = (machine: Machine) => isDeleting(machine) || isJoining(known(machine));
  if (made.length === 0 && going.every((machine) => isSilent(world, machine))) return undefined;
  if (made.length === 1 && before.every(isDeleting)) return undefined;
  const underWay = before.find((machine) => isUnderWay(machine) && machine.metadata.uid !== going[0]?.metadata.uid);
  return underWay && `the control plane is changed while ${underWay.metadata.name} is under way`;
};

/** What controllers did to the machines of a paused control plane; one that was being deleted may disappear. */
const whileHeld = (before: readonly Machine[], after: readonly Machine[]): string | undefined => {
  const [had, has] = [before, after].map((machines) => new Map(machines.map((one) => [one.metadata.uid, one])));
  const made = after.find(({ metadata }) => !had?.has(metadata.uid));
  const gone = before.find(({ metadata }) => {
    const now = has?.get(metadata.uid);
    return !metadata.deletionTimestamp && (now === undefined || isDeleting(now));
  });
  const changed = made ?? gone;
  return changed && `${changed.metadata.name} is created or deleted although the control plane is paused`;
};

export interface Judge {
  /**
   * To be called when something happens that controllers did not decide: the bounds do not apply to the step in which
   * it happens.
   */
  disturbed(): void;
  /** Records the state before a step. */
  before(): void;
  /** What the step has violated. */
  after(step: string): string[];
  /** Instances that a disturbance terminated. */
  killed: Set<string>;
}

/** Determines whether the controllers' changes were allowed. */
export const makeJudge = (world: World): Judge => {
  let bounds: Bounds = { most: 0, fewest: 0 };
  let machines: Machine[] = [];
  let formed = false;
  let isHeld = false;
  let isDisturbed = false;
  let marked = new Set<string>();
  const killed = new Set<string>();
  const workerBreaches = (): string[] => {
    const { total, available: left } = decidedOf(world);
    const wished = world.objects.all(kinds.machine).filter((m) => isDeleting(m) && marked.has(m.metadata.uid ?? ''));
    const available = left + wished.length;
    return [
      ...(total > bounds.most ? [`${total} workers exist or are wanted, ${bounds.most} are allowed`] : []),
      ...(available < bounds.fewest ? [`${available} workers may be left, ${bounds.fewest} are required`] : []),
    ];
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
      // If the bounds do not hold because of a disturbance, the state must not get worse.
      const { total, available } = decidedOf(world);
      const [deployment] = world.objects.all(kinds.machineDeployment);
      const wanted = wantedBounds(deployment);
      const fewest = fewestOf(world, { ...wanted, fewest: Math.min(wanted.fewest, available) }, total);
      bounds = { most: Math.max(wanted.most, total), fewest };
    },
    after: (step) => {
      const now = controlPlaneOf(world).machines;
      const changed =
        (isHeld ? whileHeld(machines, now) : undefined) ?? (formed ? oneAtATime(world, machines, now) : undefined);
      const decided = [...(step === 'workers' ? workerBreaches() : []), ...(changed ? [changed] : [])];
      return [...(isDisturbed ? [] : decided), ...etcdBreaches(world, killed), ...structureBreaches(world)];
    },
  };
};
