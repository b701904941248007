import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import { anyDistributionOf } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfigTemplate } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type MachineSet } from '../../../../shared/kinds/index.ts';
import type { InfrastructureMachineTemplate } from '../../../../shared/kinds/infrastructure.ts';
import { absenceOf } from '../../../../shared/kinds/reference.ts';
import { driftPoliciesOf } from '../../../../shared/kinds/rules/drift-policy.ts';
import { isOrphaning } from '../../../../shared/kube-api/garbage/finalizers.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import { FINALIZER } from '../../../../shared/plan/labels.ts';
import { desiredWorkerConfig, desiredWorkerMachine } from '../../../../shared/plan/machines/desired.ts';
import { firstFreePlace } from '../../../../shared/plan/memory/used-places.ts';
import { isRolledOut } from '../../../../shared/plan/rollout/current-set.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { isMemberOf } from '../../../../shared/plan/workers/adoption.ts';
import { type MachineSetOperation, machineSetOperations } from '../../../../shared/plan/workers/operations.ts';
import { preflight } from '../../../../shared/plan/workers/preflight.ts';
import { newNames, planMachineSetScale } from '../../../../shared/plan/workers/scale.ts';
import { desiredInfrastructureMachine } from '../../../../shared/providers/clone.ts';
import type { Infrastructure } from '../../../../shared/providers/infrastructure.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import { type ClusterSnapshot, instancesOf, isControlledBy } from '../../snapshot.ts';
import { withTemplateOwner } from '../../template-owner.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { completeMachine } from '../machines/complete-machine.ts';
import { makeOwn, type NewNames } from '../machines/make-own.ts';
import { propagate } from '../machines/propagate.ts';
import { makeWithinQuota, recordRefusal } from '../machines/within-quota.ts';
import { machineSetRecorder } from '../reasons.ts';
import { isIncomplete } from '../references/missing.ts';
import { remediateSet } from './remediate-set.ts';

interface Templates {
  infrastructure: { provider: Infrastructure; template: InfrastructureMachineTemplate };
  /** Undefined if the user provides the bootstrap data. */
  bootstrap: { distribution: Distribution; template: BootstrapConfigTemplate } | undefined;
}

/** Creates and deletes the machine objects of a set. Returns the number of changes. */
export const scaleSet = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
): Promise<number> => {
  const owned = snapshot.machines.filter((machine) => isControlledBy(machine, set));
  // The garbage collector releases the machines of a set that is deleted with `--cascade=orphan`.
  if (isObjectPaused(set) || isOrphaning(set)) return 0;
  // A deleted set also deletes machines that it no longer selects.
  const machines = set.metadata.deletionTimestamp
    ? owned
    : await remediateSet(
        deps,
        snapshot,
        set,
        owned.filter((machine) => isMemberOf(machine, set)),
      );
  const plan = planMachineSetScale({
    set,
    machines,
    taken: namesIn(snapshot),
    firstPlace: firstPlaceOf(snapshot, set),
    instances: instancesOf(snapshot),
    isRolledOut: isReplaced(deps, snapshot, set),
    keepsLost: driftPoliciesOf(snapshot.cluster).InstanceTerminated === 'Report',
    now: deps.clock.now(),
  });
  const incomplete = machines.filter((machine) => isIncomplete(machine, snapshot));
  const operations = machineSetOperations({ set, machines, plan, incomplete });
  for (const alike of Map.groupBy(operations, (operation) => operation.do).values()) {
    await Promise.all(alike.map((operation) => apply(deps, { snapshot, set, machines }, operation)));
  }
  return plan.create.length + plan.remove.length;
};

const namesIn = ({ machines }: ClusterSnapshot): string[] => machines.map(({ metadata }) => metadata.name);

const firstPlaceOf = ({ infrastructureCluster }: ClusterSnapshot, set: MachineSet): number =>
  firstFreePlace(infrastructureCluster, set);

const isReplaced = (
  { clock }: ObjectsDependencies,
  { deployments, sets }: ClusterSnapshot,
  set: MachineSet,
): boolean => {
  const deployment = deployments.find((owner) => isControlledBy(set, owner));
  if (!deployment) return false;
  const owned = sets.filter((other) => isControlledBy(other, deployment));
  return isRolledOut(deployment, owned, set, clock.now());
};

/** The objects that the operations of a set need. */
interface Scene {
  snapshot: ClusterSnapshot;
  set: MachineSet;
  machines: readonly Machine[];
}

/** False if the machine of a set in deletion was released after the read, because of `--cascade=orphan`. */
const deleteMachine = async ({ objects }: ObjectsDependencies, { set, machines }: Scene, name: string) => {
  const machine = machines.find(({ metadata }) => metadata.name === name);
  if (!machine) return false;
  const current = set.metadata.deletionTimestamp ? await objects.get(kinds.machine, keyOf(machine)) : machine;
  if (current && !isControlledBy(current, set)) return false;
  await objects.delete(kinds.machine, machine);
  return true;
};

/** Carries out one operation, and records it on the set. */
const apply = async (deps: ObjectsDependencies, scene: Scene, operation: MachineSetOperation): Promise<unknown> => {
  const { snapshot, set, machines } = scene;
  switch (operation.do) {
    case 'delete-machine':
      if (!(await deleteMachine(deps, scene, operation.name))) return undefined;
      return machineSetRecorder(deps).normal(set, 'SuccessfulDelete', operation.message);
    case 'release-set':
      return deps.objects.mutate(kinds.machineSet, set, withoutFinalizer(FINALIZER.machineSet));
    case 'propagate':
      return propagate(deps, snapshot, set, machines);
    case 'make-machines':
      return makeMachines(deps, snapshot, set, operation);
  }
};

/**
 * The templates of a set, which the cluster owns from now on if there is room; undefined, with an event, if one does not
 * exist.
 */
const readTemplates = async (
  deps: ObjectsDependencies,
  { cluster }: ClusterSnapshot,
  set: MachineSet,
): Promise<Templates | undefined> => {
  const { objects } = deps;
  const namespace = set.metadata.namespace ?? '';
  const { infrastructureRef, bootstrap } = set.spec.template.spec;
  const own = withTemplateOwner(cluster);
  const { configRef } = bootstrap;
  const distribution = anyDistributionOf('configTemplate', configRef);
  const provider = infrastructureOf('machineTemplate', infrastructureRef);
  const [machineTemplate, template] = await Promise.all([
    provider && objects.mutate(provider.machineTemplate, { namespace, name: infrastructureRef.name }, own),
    configRef && distribution
      ? objects.mutate(distribution.configTemplate, { namespace, name: configRef.name }, own)
      : undefined,
  ]);
  const missing = [
    ...(machineTemplate ? [] : [absenceOf(infrastructureRef, namespace)]),
    ...(configRef && !template ? [absenceOf(configRef, namespace)] : []),
  ];
  if (provider && machineTemplate && missing.length === 0) {
    const infrastructure = { provider, template: machineTemplate };
    return { infrastructure, bootstrap: distribution && template && { distribution, template } };
  }
  const message = `${missing.join(' and ')}; create it or correct spec.template.spec`;
  await machineSetRecorder(deps).warning(set, 'CloneTemplateFailed', message);
  return undefined;
};

const namesOf = (snapshot: ClusterSnapshot, set: MachineSet, planned: readonly string[]): NewNames => ({
  planned,
  others: (taken, count) =>
    newNames(set, new Set([...namesIn(snapshot), ...taken]), count, firstPlaceOf(snapshot, set)),
});

const makeMachines = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  { names, incomplete }: Extract<MachineSetOperation, { do: 'make-machines' }>,
): Promise<void> => {
  const { objects } = deps;
  const templates = await readTemplates(deps, snapshot, set);
  // The report gives the reason, based on the same check.
  if (!templates || preflight(set, snapshot, templates.bootstrap?.template).length > 0) return;
  const { infrastructure, bootstrap } = templates;
  const { made, refused } = await makeOwn(objects, set, namesOf(snapshot, set, names), (name) =>
    desiredWorkerMachine(set, bootstrap?.distribution, name),
  );
  const completed = await makeWithinQuota([...made.map(({ object }) => object), ...incomplete], async (machine) => {
    const { provider, template } = infrastructure;
    await completeMachine(objects, machine, {
      config: bootstrap && {
        distribution: bootstrap.distribution,
        object: desiredWorkerConfig(bootstrap.distribution, machine, bootstrap.template),
      },
      infrastructure: { provider, object: desiredInfrastructureMachine(provider, machine, template) },
    });
  });
  await recordRefusal(machineSetRecorder(deps), set, refused ?? completed.refused);
  const created = made.filter((entry) => entry.created).map(({ object }) => object.metadata.name);
  if (created.length === 0) return;
  const message = `Created Machine${created.length === 1 ? '' : 's'} ${created.join(', ')}`;
  await machineSetRecorder(deps).normal(set, 'SuccessfulCreate', message);
};
