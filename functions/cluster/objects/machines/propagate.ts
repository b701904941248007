import { isDeepStrictEqual } from 'node:util';
import { anyDistributionOf } from '../../../../shared/distributions/registry.ts';
import { kinds, type Machine, type MachineSet } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import {
  type InPlace,
  inPlaceOfControlPlane,
  inPlaceOfSet,
  withFieldsInPlace,
  withInPlace,
} from '../../../../shared/plan/machines/in-place.ts';
import { type Metadata, withPropagated } from '../../../../shared/plan/machines/propagation.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/**
 * Updates a set's machines with changes that need no rollout: labels and annotations of the template, also on their
 * infrastructure and bootstrap objects, and timeouts, readiness gates and taints. Machines in deletion get only the
 * fields, so that a hanging drain can be shortened.
 */
export const propagate = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  machines: readonly Machine[],
): Promise<void> => {
  const wanted = inPlaceOfSet(set);
  await Promise.all(machines.map((machine) => propagateTo(deps, snapshot, wanted, machine)));
};

/** Does the same for the machines of the control plane (upstream's syncMachines, kubeadmcontrolplane_controller.go). */
export const propagateFromControlPlane = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
): Promise<void> => {
  const { cluster, controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution) return;
  const wanted = inPlaceOfControlPlane(distribution, controlPlane, cluster.metadata.name);
  const machines = controlPlaneMachines(snapshot);
  await Promise.all(machines.map((machine) => propagateTo(deps, snapshot, wanted, machine)));
};

const propagateTo = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  wanted: InPlace,
  machine: Machine,
): Promise<void> => {
  const { objects } = deps;
  const namespace = machine.metadata.namespace ?? '';
  const key = { namespace, name: machine.metadata.name };
  if (machine.metadata.deletionTimestamp) {
    await objects.mutate(kinds.machine, key, (current) => withFieldsInPlace(current, wanted), { from: machine });
    return;
  }
  if (metadataDiffers(machine, withInPlace(machine, wanted))) {
    const change = { wanted: wanted.metadata, before: machine.metadata };
    const { configRef } = machine.spec.bootstrap;
    const distribution = anyDistributionOf('config', configRef);
    if (distribution && configRef) await onto(deps, distribution.config, { namespace, name: configRef.name }, change);
    const { provider, object } = snapshot.infrastructureMachines.get(machine.metadata.name) ?? {};
    if (provider) await onto(deps, provider.machine, { namespace, name: object?.metadata.name ?? '' }, change, object);
  }
  // This comes last: as long as the machine differs, its objects are checked again.
  await objects.mutate(kinds.machine, key, (current) => withInPlace(current, wanted), { from: machine });
};

const metadataDiffers = (before: Machine, after: Machine): boolean =>
  !isDeepStrictEqual(before.metadata.labels, after.metadata.labels) ||
  !isDeepStrictEqual(before.metadata.annotations, after.metadata.annotations);

const onto = async <T extends KubeObject>(
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition<T>,
  key: { namespace: string; name: string },
  { wanted, before }: { wanted: Metadata; before: Metadata },
  from?: T,
): Promise<void> => {
  await objects.mutate(resource, key, (current) => withPropagated(current, wanted, before), from ? { from } : {});
};
