import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import type { InstanceFacts } from '../infrastructure/instance.ts';
import { ANNOTATION } from '../labels.ts';
import { isTrue } from '../status/conditions.ts';
import { inDeletionOrder, isMarked } from '../workers/deletion-order.ts';
import { boundsOf } from './bounds.ts';
import { isRolledOut, rolesOf } from './current-set.ts';
import { currentRevision, newSet, revisionOf, updatedSet } from './desired-set.ts';
import { oldestFirst, type RolloutFacts, type ScaleIntent, sumOf } from './facts.ts';
import { growCurrent } from './grow-current.ts';
import { planProportional, type SizedSet } from './proportional.ts';
import { planRollingUpdate } from './rolling-update.ts';

/**
 * The next step if machines are only replaced when users delete them. Old sets shrink with their machines, so that a
 * deleted machine is recreated in the current set. If there are too many machines after a scale-down, those of the
 * oldest set are deleted first. The rules are those of Cluster API's rollout planner
 * (machinedeployment_rollout_ondelete.go).
 */
const planOnDelete = (facts: RolloutFacts, replicas: number): ScaleIntent[] => {
  const grown = growCurrent(facts, { replicas, limit: replicas });
  const ofCurrent = grown?.replicas ?? facts.current.desired;
  let surplus = Math.max(sumOf(facts.old, (set) => set.desired) + ofCurrent - replicas, 0);
  const intents: ScaleIntent[] = grown ? [grown] : [];
  const old = oldestFirst(facts.old);
  const kept = new Map(old.map((set) => [set.name, Math.min(set.desired, set.actual)]));
  surplus -= sumOf(old, (set) => set.desired - Math.min(set.desired, set.actual));
  for (const set of old) {
    const there = kept.get(set.name) ?? 0;
    const taken = Math.max(Math.min(there, surplus), 0);
    surplus -= taken;
    const target = there - taken;
    if (target === set.desired) continue;
    const reason = taken > 0 ? `the MachineDeployment has ${replicas} replicas` : 'machines were deleted';
    intents.push({ set: set.name, replicas: target, reason });
  }
  return intents;
};

/** The input of a deployment's rollout. */
export interface DeploymentFacts {
  deployment: MachineDeployment;
  /** The sets that the deployment owns, including those being deleted. */
  sets: readonly MachineSet[];
  /** The machines of a set, including those being deleted. */
  machinesOf: (set: MachineSet) => readonly Machine[];
  /** Their instances, by machine name, if known. */
  instances?: ReadonlyMap<string, Pick<InstanceFacts, 'gone'>>;
  now: Date;
}

/** What to do for a deployment now. */
export interface DeploymentPlan {
  /** A set to be created for the current template, with its replicas. */
  create?: MachineSet;
  /** The existing sets, in their desired state. */
  update: MachineSet[];
  /** What `create` and `update` change in replicas, and why. */
  scale: ScaleIntent[];
  /** Names of sets with earlier templates that must be deleted: the rollout is complete and they are empty. */
  remove: string[];
  /** The number of the current set's revision. */
  revision: number;
}

const isAvailable = ({ status }: Machine): boolean => isTrue(status?.conditions, 'Available');

/** A machine whose instance was terminated may still be reported as available, because its node is checked later. */
const sizeOf = (set: MachineSet, { deployment, sets, machinesOf, instances, now }: DeploymentFacts): SizedSet => {
  const machines = machinesOf(set);
  const live = machines.filter(({ metadata }) => !metadata.deletionTimestamp && !instances?.get(metadata.name)?.gone);
  const [next] = inDeletionOrder(set, live, now, isRolledOut(deployment, sets, set, now));
  const maxReplicas = Number.parseInt(set.metadata.annotations?.[ANNOTATION.maxReplicas] ?? '', 10);
  return {
    name: set.metadata.name,
    createdAt: Date.parse(set.metadata.creationTimestamp ?? '') || 0,
    desired: set.spec.replicas ?? 1,
    actual: machines.length,
    available: live.filter(isAvailable).length,
    losesAvailable: next !== undefined && isAvailable(next) && !isMarked(next),
    ...(maxReplicas > 0 ? { maxReplicas } : {}),
  };
};

const intentsFor = (deployment: MachineDeployment, current: SizedSet | undefined, old: SizedSet[]): ScaleIntent[] => {
  const bounds = boundsOf(deployment);
  const isOnDelete = deployment.spec.rollout?.strategy?.type === 'OnDelete';
  if (deployment.spec.paused) return planProportional({ ...(current ? { current } : {}), old, isOnDelete }, bounds);
  if (!current) return [];
  return isOnDelete ? planOnDelete({ current, old }, bounds.replicas) : planRollingUpdate({ current, old }, bounds);
};

/** Whether all machines have the current template and are available. */
const isComplete = (replicas: number, current: SizedSet | undefined, old: readonly SizedSet[]): boolean =>
  current !== undefined &&
  current.actual === replicas &&
  current.available === replicas &&
  old.every(({ actual }) => actual === 0);

/**
 * The next step of a deployment. The set for its current template is created if there is none, changes that need no
 * rollout are propagated to all sets in place, and the sets are scaled as far as the strategy currently allows. A set
 * that is being deleted is left alone, but its machines count until they are gone.
 */
export const planDeployment = (facts: DeploymentFacts): DeploymentPlan => {
  const { deployment, sets, now } = facts;
  const { current, old } = rolesOf(deployment, sets, now);
  const revision = currentRevision(
    current,
    sets.filter((set) => set !== current),
  );
  const paused = deployment.spec.paused === true;
  const create = current || paused ? undefined : newSet(deployment, revision, now);
  const taken = create && sets.some(({ metadata }) => metadata.name === create.metadata.name);
  const serving = current ?? create;
  const sizes = old.map((set) => sizeOf(set, facts));
  const leaving = sets
    .filter(({ metadata }) => metadata.deletionTimestamp)
    .map((set) => ({ ...sizeOf(set, facts), desired: 0 }));
  const currentSize = serving && sizeOf(serving, current ? facts : { ...facts, machinesOf: () => [] });
  const scale = taken ? [] : intentsFor(deployment, currentSize, [...sizes, ...leaving]);
  const wanted = new Map(scale.map(({ set, replicas }) => [set, replicas]));
  const scaled = (set: MachineSet): MachineSet => {
    const replicas = wanted.get(set.metadata.name);
    return replicas === undefined ? set : { ...set, spec: { ...set.spec, replicas } };
  };
  const update = [
    ...(current ? [updatedSet(deployment, current, { revision, old: false })] : []),
    ...old.map((set) => updatedSet(deployment, set, { revision: revisionOf(set), old: true })),
  ].map(scaled);
  const complete = isComplete(deployment.spec.replicas ?? 1, current && currentSize, [...sizes, ...leaving]);
  const remove = complete && !paused ? sizes.filter(({ desired }) => desired === 0).map(({ name }) => name) : [];
  return { ...(create && !taken ? { create: scaled(create) } : {}), update, scale, remove, revision };
};
