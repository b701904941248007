import { distributionOf } from '../../shared/distributions/registry.ts';
import { kinds, type MachineDeployment, type MachineSet } from '../../shared/kinds/index.ts';
import { absenceOf } from '../../shared/kinds/reference.ts';
import { driftPoliciesOf } from '../../shared/kinds/rules/drift-policy.ts';
import { isOrphaning } from '../../shared/kube-api/garbage/finalizers.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { desiredWorkerMachine } from '../../shared/plan/machines/desired.ts';
import { firstFreePlace } from '../../shared/plan/memory/used-places.ts';
import { isRolledOut } from '../../shared/plan/rollout/current-set.ts';
import { planDeployment } from '../../shared/plan/rollout/plan.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { isMemberOf } from '../../shared/plan/workers/adoption.ts';
import { namingFaultOf } from '../../shared/plan/workers/naming.ts';
import { preflight } from '../../shared/plan/workers/preflight.ts';
import { planMachineSetScale } from '../../shared/plan/workers/scale.ts';
import { refusalMessage } from '../cluster/objects/machines/within-quota.ts';
import { instancesOf, isControlledBy } from '../cluster/snapshot.ts';
import { type Acted, born, gone, isUnborn, leaving } from './acted.ts';
import { type Allowed, allowedMachines } from './allowance.ts';
import { type GoneMachine, type MadeMachine, named } from './plan.ts';
import { machinesOwnedBy, machineTemplate, templateKey, type World, withClones } from './world.ts';

const without = <T extends { metadata: { name: string } }>(list: readonly T[], names: readonly string[]): T[] =>
  list.filter(({ metadata }) => !names.includes(metadata.name));

/** One deployment: its sets as its planner specifies them, in a separate pass. */
const actDeployment = (
  world: World,
  deployment: MachineDeployment,
): { world: World; changed: boolean; newSet?: string; blocked?: string } => {
  const { snapshot, now } = world;
  const owned = snapshot.sets.filter((set) => isControlledBy(set, deployment));
  const others = snapshot.sets.filter((set) => !owned.includes(set));
  const withSets = (sets: MachineSet[]): World => ({ ...world, snapshot: { ...snapshot, sets: [...others, ...sets] } });
  if (isOrphaning(deployment)) return { world, changed: false };
  if (deployment.metadata.deletionTimestamp) {
    const open = owned.some(({ metadata }) => !metadata.deletionTimestamp);
    return { world: withSets(owned.map((set) => leaving(set, now))), changed: open };
  }
  if (isObjectPaused(deployment)) return { world, changed: false };
  const machinesOf = (set: MachineSet) => membersOf(world, set);
  const plan = planDeployment({ deployment, sets: owned, machinesOf, instances: instancesOf(snapshot), now });
  const lacking = plan.create ? lackingTemplates(world, deployment) : undefined;
  if (lacking) return { world, changed: false, blocked: lacking };
  const deleting = owned.filter(({ metadata }) => metadata.deletionTimestamp);
  const kept = without(plan.update, plan.remove);
  const made = plan.create ? [born(plan.create, now)] : [];
  const newSet = plan.create && !isUnborn(world, deployment) ? { newSet: plan.create.metadata.name } : {};
  const changed = made.length + plan.scale.length + plan.remove.length > 0;
  return { world: withSets([...kept, ...made, ...deleting]), changed, ...newSet };
};

const configTemplate = (world: World, { spec }: MachineDeployment | MachineSet): KubeObject | undefined => {
  const { configRef } = spec.template.spec.bootstrap;
  const distribution = distributionOf('configTemplate', configRef);
  return distribution && configRef && world.templates.get(templateKey(configRef.kind, configRef.name));
};

/** The templates that do not exist; undefined if all do. */
const lackingTemplates = (world: World, owner: MachineDeployment | MachineSet): string | undefined => {
  const { infrastructureRef, bootstrap } = owner.spec.template.spec;
  const { configRef } = bootstrap;
  const lacking = [
    ...(machineTemplate(world, infrastructureRef) ? [] : [absenceOf(infrastructureRef)]),
    ...(configRef && !configTemplate(world, owner) ? [absenceOf(configRef)] : []),
  ];
  return lacking.length > 0 ? lacking.join(' and ') : undefined;
};

/**
 * The reason why a set cannot create machines; undefined if it can. The step that creates them decides in the same way.
 */
const blockedSet = (world: World, set: MachineSet): string | undefined => {
  const controlPlane = world.snapshot.controlPlane ?? world.outsideControlPlane;
  return (
    lackingTemplates(world, set) ?? preflight(set, { ...world.snapshot, controlPlane }, configTemplate(world, set))[0]
  );
};

const membersOf = (world: World, set: MachineSet) =>
  machinesOwnedBy(world, set).filter((machine) => isMemberOf(machine, set));

/** How many machines of a set the quotas allow. */
const allowedOf = (world: World, set: MachineSet, wanted: number): Allowed => {
  const { infrastructureRef, bootstrap } = set.spec.template.spec;
  const template = machineTemplate(world, infrastructureRef);
  const distribution = distributionOf('configTemplate', bootstrap.configRef);
  const each = [
    kinds.machine,
    ...(template ? [template.provider.machine] : []),
    ...(distribution ? [distribution.config] : []),
  ];
  return allowedMachines(world.allowance, world.snapshot.machines, each, wanted);
};

/** The world with the machines that a set creates, and without those that it deletes. */
const withMachines = (world: World, set: MachineSet, names: readonly string[], goes: ReadonlySet<string>): World => {
  const { snapshot, now } = world;
  if (names.length + goes.size === 0) return world;
  const distribution = distributionOf('configTemplate', set.spec.template.spec.bootstrap.configRef);
  const template = machineTemplate(world, set.spec.template.spec.infrastructureRef);
  const made = names.map((name) => born(desiredWorkerMachine(set, distribution, name), now));
  const left = snapshot.machines.map((machine) => (goes.has(machine.metadata.name) ? leaving(machine, now) : machine));
  const infrastructureMachines = withClones(snapshot, made, template);
  return { ...world, snapshot: { ...snapshot, machines: [...left, ...made], infrastructureMachines } };
};

/** One set: its machines are created, deleted, and updated in place where no rollout is needed. */
const actSet = (world: World, set: MachineSet): { world: World; acted: Acted } => {
  const { snapshot, now } = world;
  const deployment = snapshot.deployments.find((owner) => isControlledBy(set, owner));
  const owner = named(deployment ?? set);
  // A deleted set also removes machines that it no longer selects.
  const machines = set.metadata.deletionTimestamp ? machinesOwnedBy(world, set) : membersOf(world, set);
  const taken = [...snapshot.machines.map(({ metadata }) => metadata.name), ...world.used];
  const firstPlace = firstFreePlace(snapshot.infrastructureCluster, set);
  const nothing: Acted = { owner, make: [], remove: [] };
  if (isObjectPaused(set) || isOrphaning(set)) return { world, acted: nothing };
  const siblings = snapshot.sets.filter((other) => deployment && isControlledBy(other, deployment));
  const plan = planMachineSetScale({
    ...{ set, machines, taken, firstPlace, now },
    instances: instancesOf(snapshot),
    isRolledOut: deployment !== undefined && isRolledOut(deployment, siblings, set, now),
    keepsLost: driftPoliciesOf(snapshot.cluster).InstanceTerminated === 'Report',
  });
  const wantsMore = plan.create.length > 0 || namingFaultOf(set) !== undefined;
  const lacking = wantsMore ? blockedSet(world, set) : undefined;
  const allowed = allowedOf(world, set, plan.create.length);
  const names = lacking ? [] : plan.create.slice(0, allowed.count);
  const blocked = lacking ?? (allowed.refused && refusalMessage(allowed.refused));
  const goes = new Set(plan.remove);
  const make: MadeMachine[] = names.map((name) => (isUnborn(world, set) ? {} : { name }));
  const remove: GoneMachine[] = machines
    .filter(({ metadata }) => goes.has(metadata.name))
    .flatMap((one) => gone(world, one));
  return {
    world: withMachines(world, set, names, goes),
    acted: { owner, make, remove, ...(blocked ? { blocked } : {}) },
  };
};

/** The actions of the step that manages workers in one pass. */
export const actWorkers = (before: World): { world: World; acted: Acted[]; changed: boolean } => {
  let world = before;
  let changed = false;
  const acted: Acted[] = [];
  for (const deployment of before.snapshot.deployments) {
    const done = actDeployment(world, deployment);
    world = done.world;
    changed ||= done.changed;
    const { newSet, blocked } = done;
    const said = { ...(newSet ? { newSet } : {}), ...(blocked ? { blocked } : {}) };
    if (newSet ?? blocked) acted.push({ owner: named(deployment), make: [], remove: [], ...said });
  }
  for (const set of world.snapshot.sets) {
    const done = actSet(world, set);
    world = done.world;
    acted.push(done.acted);
    changed ||= done.acted.make.length + done.acted.remove.length > 0;
  }
  const left = withoutEmptySets(world);
  // A deployment replaces a set that has been deleted.
  changed ||= left.snapshot.sets.length < world.snapshot.sets.length;
  return { world: left, acted, changed };
};

/** A set that is being deleted disappears with its last machine. */
const withoutEmptySets = ({ snapshot, ...world }: World): World => {
  const isLeft = (set: MachineSet): boolean =>
    !set.metadata.deletionTimestamp || snapshot.machines.some((machine) => isControlledBy(machine, set));
  return { ...world, snapshot: { ...snapshot, sets: snapshot.sets.filter(isLeft) } };
};
