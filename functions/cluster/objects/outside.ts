/** What a pass does for infrastructure that a provider from outside reconciles (shared/outside). */
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../../shared/kinds/infrastructure.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { ANNOTATION, LABEL } from '../../../shared/plan/labels.ts';
import { controllerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { hasController } from '../../../shared/plan/workers/adoption.ts';
import { infrastructureOf } from '../../../shared/providers/registry.ts';
import type { ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import { type ClusterSnapshot, isControlledBy, readCluster } from '../snapshot.ts';
import { certificates } from './certificates.ts';
import type { ObjectsDependencies } from './dependencies.ts';

/** Makes the certificates, and says whether the provider has made what machines stand on. */
export const awaitOutside =
  (deps: ObjectsDependencies) =>
  async (input: ConvergeInput): Promise<ReadyResult> => {
    const made = await certificates(deps)(input);
    const snapshot = await readCluster(deps.objects, input.cluster);
    return { ready: made.ready && snapshot?.infrastructureCluster?.status?.ready === true };
  };

const isOfOutside = ({ spec }: Machine): boolean =>
  infrastructureOf('machine', spec.infrastructureRef)?.isOutside === true;

/**
 * Makes a Machine the controller of its infrastructure, as upstream: what is there without an owner belongs to the
 * Machine that refers to it from now on. What another object controls stays that one's.
 */
const own = async (
  { objects }: ObjectsDependencies,
  { infrastructureMachines }: ClusterSnapshot,
  machine: Machine,
): Promise<InfrastructureMachine | null> => {
  const { provider, object } = infrastructureMachines.get(machine.metadata.name) ?? {};
  if (!provider || !object) return null;
  if (machine.metadata.deletionTimestamp) return object;
  const clusterName = machine.spec.clusterName;
  const isOwn = (current: InfrastructureMachine): boolean =>
    isControlledBy(current, machine) || !hasController(current);
  const change = (current: InfrastructureMachine): InfrastructureMachine | undefined =>
    isOwn(current)
      ? {
          ...current,
          metadata: {
            ...current.metadata,
            labels: { ...current.metadata.labels, [LABEL.clusterName]: clusterName },
            ownerReferences: withOwner(current.metadata.ownerReferences, controllerReference(machine)),
          },
        }
      : undefined;
  const written = await objects.mutate(provider.machine, keyOf(object), change, { from: object });
  return written && isControlledBy(written, machine) ? written : null;
};

const observe = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot, machine: Machine): Promise<Machine> => {
  const infrastructure = await own(deps, snapshot, machine);
  const { provider } = snapshot.infrastructureMachines.get(machine.metadata.name) ?? {};
  const zone = infrastructure ? provider?.instance(infrastructure).zone : undefined;
  const change = (current: Machine) => withObservation(current, { infrastructure, zone }, deps.clock.now());
  return (await deps.objects.mutate(kinds.machine, keyOf(machine), change, { from: machine })) ?? machine;
};

/**
 * Takes over what providers from outside say of their machines, in each pass: their managers write it, and the write starts
 * the pass. Returns the snapshot with the machines as they are then.
 */
export const observeOutside = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
): Promise<ClusterSnapshot> => {
  if (isPaused(snapshot.cluster)) return snapshot;
  const machines = snapshot.machines.map((machine) =>
    isOfOutside(machine) && !(ANNOTATION.paused in (machine.metadata.annotations ?? {}))
      ? observe(deps, snapshot, machine)
      : machine,
  );
  return { ...snapshot, machines: await Promise.all(machines) };
};
