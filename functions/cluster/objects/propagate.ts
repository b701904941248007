import { isDeepStrictEqual } from 'node:util';
import { anyDistributionOf } from '../../../shared/distributions/registry.ts';
import { kinds, type Machine, type MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { desiredWorkerMachine } from '../../../shared/plan/machines/desired.ts';
import { type Metadata, withPropagated } from '../../../shared/plan/machines/propagation.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/**
 * Propagates to a set's machines what needs no rollout: labels and annotations of the template, also to their
 * infrastructure and bootstrap objects, and timeouts, readiness gates and taints. Machines that are being deleted get
 * only their deletion timeouts, so that a hanging drain can be cut short.
 */
export const propagate = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  machines: readonly Machine[],
): Promise<void> => {
  await Promise.all(machines.map((machine) => propagateTo(deps, snapshot, set, machine)));
};

const without = <T extends object, Key extends keyof T>(object: T, ...keys: Key[]): Omit<T, Key> => {
  const rest = { ...object };
  for (const key of keys) delete rest[key];
  return rest;
};

/** A machine with the fields of its set that change in place. */
export const withPropagatedFields = (machine: Machine, wanted: Machine): Machine => {
  const { minReadySeconds, readinessGates, deletion, taints } = wanted.spec;
  const fields = { minReadySeconds, readinessGates, deletion, taints };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const spec = without(machine.spec, 'minReadySeconds', 'readinessGates', 'deletion', 'taints');
  return { ...withPropagated(machine, wanted.metadata), spec: { ...spec, ...given } };
};

const propagateTo = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  machine: Machine,
): Promise<void> => {
  const { objects } = deps;
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name };
  const distribution = anyDistributionOf('configTemplate', set.spec.template.spec.bootstrap.configRef);
  const wanted = desiredWorkerMachine(set, distribution, machine.metadata.name);
  if (machine.metadata.deletionTimestamp) {
    const change = (current: Machine): Machine =>
      wanted.spec.deletion ? { ...current, spec: { ...current.spec, deletion: wanted.spec.deletion } } : current;
    await objects.mutate(kinds.machine, key, change, { from: machine });
    return;
  }
  if (metadataDiffers(machine, withPropagatedFields(machine, wanted))) {
    const change = { wanted: wanted.metadata, before: machine.metadata };
    const { namespace } = key;
    const { configRef } = machine.spec.bootstrap;
    if (distribution && configRef) await onto(deps, distribution.config, { namespace, name: configRef.name }, change);
    const { provider, object } = snapshot.infrastructureMachines.get(machine.metadata.name) ?? {};
    if (provider) await onto(deps, provider.machine, { namespace, name: object?.metadata.name ?? '' }, change, object);
  }
  // Last: as long as the machine differs, its objects are checked again.
  await objects.mutate(kinds.machine, key, (current) => withPropagatedFields(current, wanted), { from: machine });
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
