import { kinds, type Machine } from '../../shared/kinds/index.ts';
import { absenceOf } from '../../shared/kinds/reference.ts';
import { machineYields, withControlPlane } from '../../shared/plan/control-plane/adoption.ts';
import { planControlPlane } from '../../shared/plan/control-plane/plan.ts';
import { desiredControlPlaneConfig, desiredControlPlaneMachine } from '../../shared/plan/machines/desired.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { controlPlaneAdoption } from '../cluster/objects/control-plane/adopt.ts';
import { controlPlaneFacts } from '../cluster/objects/control-plane/facts.ts';
import { begunWith, configLike, machineLike } from '../cluster/objects/machines/begun.ts';
import { refusalMessage } from '../cluster/objects/machines/within-quota.ts';
import { whileMissing } from '../cluster/objects/references/missing.ts';
import { type Acted, born, gone, isUnborn, leaving } from './acted.ts';
import { allowedMachines } from './allowance.ts';
import { named } from './plan.ts';
import { machineTemplate, type World, withClones } from './world.ts';

const factsOf = ({ snapshot, configs, used, now }: World) => {
  const facts = controlPlaneFacts(snapshot, configs, now);
  return facts && { ...facts, taken: [...(facts.taken ?? []), ...used] };
};

/** The world with the machines that the control plane adopts. From then on, it is the basis of the plan. */
const withAdopted = (world: World, { snapshot } = world): World => {
  const { controlPlane } = snapshot;
  const { adopt } = controlPlaneAdoption(snapshot);
  if (!controlPlane || adopt.length === 0) return world;
  const adopted = (machine: Machine): Machine =>
    (adopt.includes(machine) && withControlPlane(machine, controlPlane, machineYields)) || machine;
  return { ...world, snapshot: { ...snapshot, machines: snapshot.machines.map(adopted) } };
};

/** The actions of the step that manages the control plane in one pass; none if the cluster has no control plane. */
export const actControlPlane = (before: World): { world: World; acted?: Acted } => {
  const world =
    before.snapshot.controlPlane && isObjectPaused(before.snapshot.controlPlane) ? before : withAdopted(before);
  const { snapshot, configs, now } = world;
  const { controlPlane, distribution, cluster } = snapshot;
  const facts = factsOf(world);
  if (!facts || !controlPlane || !distribution) return { world };
  if (controlPlane.metadata.deletionTimestamp || isObjectPaused(controlPlane)) return { world };
  const owner = named(controlPlane);
  const { infrastructureRef } = controlPlane.spec.machineTemplate.spec;
  const template = machineTemplate(world, infrastructureRef);
  const plan = planControlPlane(template ? facts : whileMissing(facts, absenceOf(infrastructureRef)));
  const each = [kinds.machine, distribution.config, ...(template ? [template.provider.machine] : [])];
  const allowed = allowedMachines(world.allowance, snapshot.machines, each, plan.create.length);
  const intents = template ? plan.create.slice(0, allowed.count) : [];
  const refused = allowed.refused ? refusalMessage(allowed.refused) : plan.blocked;
  const blocked = plan.create.length > 0 && !template ? absenceOf(infrastructureRef) : refused;
  const saying = blocked ? { blocked } : {};
  if (intents.length === 0 && !plan.remove) return { world, acted: { owner, make: [], remove: [], ...saying } };
  const begun = begunWith(snapshot, controlPlane, facts.machines, configs);
  const made = intents.map((intent) =>
    born(
      machineLike(begun, desiredControlPlaneMachine(distribution, controlPlane, cluster.metadata.name, intent)),
      now,
    ),
  );
  const configOf = (machine: Machine) =>
    configLike(begun, distribution, desiredControlPlaneConfig(distribution, machine, controlPlane));
  const leavers = snapshot.machines.filter(({ metadata }) => plan.remove?.includes(metadata.name));
  const machines = snapshot.machines.map((machine) => (leavers.includes(machine) ? leaving(machine, now) : machine));
  const next: World = {
    ...world,
    configs: new Map([...configs, ...made.map((one) => [one.metadata.name, configOf(one)] as const)]),
    snapshot: {
      ...snapshot,
      machines: [...machines, ...made],
      infrastructureMachines: withClones(snapshot, made, template),
    },
  };
  const make = intents.map(({ name: of, failureDomain }) => ({
    ...(isUnborn(world, controlPlane) ? {} : { name: of }),
    ...(failureDomain ? { failureDomain } : {}),
  }));
  const remove = leavers.flatMap((leaver) => gone(world, leaver));
  return { world: next, acted: { owner, make, remove, ...saying } };
};
