import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { absenceOf, type Reference } from '../../../../shared/kinds/reference.ts';
import type { OutsideControlPlane } from '../../../../shared/outside/view.ts';
import {
  type ControlPlaneOperation,
  controlPlaneOperations,
} from '../../../../shared/plan/control-plane/operations.ts';
import {
  type ControlPlaneFacts,
  isChange,
  isFormed,
  newNames,
  withoutChange,
} from '../../../../shared/plan/control-plane/plan.ts';
import { completing, withRemediation } from '../../../../shared/plan/control-plane/remediation-data.ts';
import { desiredControlPlaneConfig, desiredControlPlaneMachine } from '../../../../shared/plan/machines/desired.ts';
import { desiredInfrastructureMachine } from '../../../../shared/providers/clone.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import { withTemplateOwner } from '../../template-owner.ts';
import { LEASE_SECONDS } from '../begin.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { ensureKubeconfig } from '../key-material/kubeconfig.ts';
import { ensureStandaloneKubeconfig } from '../key-material/standalone.ts';
import { begunWith, configLike, machineLike } from '../machines/begun.ts';
import { completeMachine } from '../machines/complete-machine.ts';
import { makeOwn } from '../machines/make-own.ts';
import { propagateFromControlPlane } from '../machines/propagate.ts';
import { makeWithinQuota, recordRefusal } from '../machines/within-quota.ts';
import { controlPlaneRecorder } from '../reasons.ts';
import { isIncomplete } from '../references/missing.ts';
import { adoptControlPlaneMachines } from './adopt.ts';
import { correctMachines } from './correct-machines.ts';
import { managedControlPlane, plannedChange } from './planned-change.ts';
import { readConfigs } from './up-to-date.ts';

/**
 * Copies the endpoint to the Cluster, writes the kubeconfig, and adopts, creates and deletes the control plane's
 * machine objects. Once the control plane is initialized, machines are created and deleted only in a pass that has
 * checked its health before.
 */
export const controlPlane =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref, holder, checked = false }: ConvergeInput) => {
    // A lost lease does not stop the pass: the following operations are safe even if another pass runs.
    await deps.work.extend(ref, holder, LEASE_SECONDS);
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot) return {};
    await copyEndpoint(deps, snapshot);
    const managed = managedControlPlane(snapshot);
    if (!managed) {
      await ensureStandaloneKubeconfig(deps, snapshot.cluster, snapshot.machines);
      return {};
    }
    const { owner, distribution } = managed;
    if (await adoptControlPlaneMachines(deps, snapshot, managed)) {
      await deps.touch(ref);
      return {};
    }
    await ensureKubeconfig(deps, snapshot.cluster, managed);
    const configs = await readConfigs(deps, snapshot);
    const planned = await plannedChange(deps, snapshot, configs);
    if (!planned) return {};
    const { facts, plan } = planned;
    await correctMachines(deps, snapshot, facts.machines);
    await propagateFromControlPlane(deps, snapshot);
    const isEarly = !checked && isFormed(owner) && isChange(plan);
    // The change became necessary during the pass.
    if (isEarly) await deps.touch(ref);
    const operations = controlPlaneOperations({
      plan: isEarly ? withoutChange(plan) : plan,
      incomplete: facts.machines.filter((machine) => isIncomplete(machine, snapshot)),
      isReplacing: facts.replacing !== undefined,
    });
    const begun = begunWith(snapshot, owner, facts.machines, configs);
    const scene = { cluster: snapshot.cluster, owner, distribution, facts, begun };
    let created = 0;
    for (const operation of operations) created += await apply(deps, scene, operation);
    return { created };
  };

/** The objects that the operations of a control plane need. */
interface Scene {
  cluster: Cluster;
  owner: ControlPlane;
  distribution: Distribution;
  facts: ControlPlaneFacts;
  begun: ReturnType<typeof begunWith>;
}

/** Carries out one operation, and records it on the control plane. Returns the number of new machines. */
const apply = async (deps: ObjectsDependencies, scene: Scene, operation: ControlPlaneOperation): Promise<number> => {
  const { owner, distribution, facts } = scene;
  switch (operation.do) {
    case 'delete-machine': {
      const { name } = operation;
      const machine = facts.machines.find(({ metadata }) => metadata.name === name);
      if (machine) await deps.objects.delete(kinds.machine, machine);
      await controlPlaneRecorder(deps, distribution).normal(owner, 'SuccessfulDelete', `Deleted Machine ${name}`);
      return 0;
    }
    case 'make-machines': {
      const made = await makeMachines(deps, scene, operation);
      if (made > 0 && operation.endsRemediation) await endRemediation(deps, owner, distribution);
      return made;
    }
  }
};

/** Moves the annotation about a remediation to the machine that completes it. */
const endRemediation = async (
  { objects }: ObjectsDependencies,
  owner: ControlPlane,
  { controlPlane }: Distribution,
) => {
  const key = { namespace: owner.metadata.namespace ?? '', name: owner.metadata.name };
  await objects.mutate(controlPlane, key, (current) => withRemediation(current, undefined));
};

/** As in upstream, an external control plane may provide the endpoint. */
const copyEndpoint = async ({ objects }: ObjectsDependencies, snapshot: ClusterSnapshot) => {
  const { cluster, infrastructureCluster, controlPlane, distribution } = snapshot;
  const ofControlPlane = distribution?.isOutside ? (controlPlane as OutsideControlPlane | null) : null;
  const endpoint = infrastructureCluster?.spec.controlPlaneEndpoint ?? ofControlPlane?.spec.controlPlaneEndpoint;
  if (!endpoint?.host || cluster.spec.controlPlaneEndpoint?.host) return;
  const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name };
  await objects.mutate(kinds.cluster, key, (current) => ({
    ...current,
    spec: { ...current.spec, controlPlaneEndpoint: { host: endpoint.host, port: endpoint.port } },
  }));
};

/**
 * The machine template, which the cluster owns from now on if there is room; undefined if it does not exist, or its kind
 * is not served.
 */
const ownTemplate = async ({ objects }: ObjectsDependencies, cluster: Cluster, reference: Reference) => {
  const { name = '' } = reference;
  const key = { namespace: cluster.metadata.namespace ?? '', name };
  const provider = infrastructureOf('machineTemplate', reference);
  const template = await (provider && objects.mutate(provider.machineTemplate, key, withTemplateOwner(cluster)));
  return provider && template && { provider, template };
};

/**
 * Creates machines with their bootstrap and infrastructure objects, and such objects for earlier machines that lack
 * them after an interrupted pass. Returns the number of new Machines.
 */
const makeMachines = async (
  deps: ObjectsDependencies,
  { cluster, owner, distribution, facts, begun }: Scene,
  { wanted, incomplete, endsRemediation }: Extract<ControlPlaneOperation, { do: 'make-machines' }>,
): Promise<number> => {
  const { objects } = deps;
  const recorder = controlPlaneRecorder(deps, distribution);
  const namespace = owner.metadata.namespace ?? '';
  const { infrastructureRef } = owner.spec.machineTemplate.spec;
  const owned = await ownTemplate(deps, cluster, infrastructureRef);
  if (!owned) {
    const message = `${absenceOf(infrastructureRef, namespace)}; create it or correct spec.machineTemplate.spec.infrastructureRef`;
    await recorder.warning(owner, 'CloneTemplateFailed', message);
    return 0;
  }
  const desired = (name: string, at: number): Machine =>
    machineLike(begun, desiredControlPlaneMachine(distribution, owner, cluster.metadata.name, { ...wanted[at], name }));
  const planned = wanted.map(({ name }) => name);
  const names = { planned, others: (taken: ReadonlySet<string>, count: number) => newNames(facts, count, taken) };
  const { made, refused } = await makeOwn(objects, owner, names, (name, at) => {
    const machine = desired(name, at);
    return endsRemediation ? completing(owner, machine, at) : machine;
  });
  const all = [...made.map(({ object }) => object), ...incomplete];
  const completed = await makeWithinQuota(all, async (machine) => {
    const config = configLike(begun, distribution, desiredControlPlaneConfig(distribution, machine, owner));
    const { provider, template } = owned;
    const infrastructure = { provider, object: desiredInfrastructureMachine(provider, machine, template) };
    await completeMachine(objects, machine, { config: { distribution, object: config }, infrastructure });
  });
  await recordRefusal(recorder, owner, refused ?? completed.refused);
  return made.filter(({ created }) => created).length;
};
