import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { refersTo } from '../../../shared/kinds/reference.ts';
import { withoutFinalizer } from '../../../shared/kube-api/registry/finalizers.ts';
import { FINALIZER } from '../../../shared/plan/labels.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { isOverdue } from '../../../shared/plan/machines/waiting.ts';
import { withUsedPlace } from '../../../shared/plan/memory/used-places.ts';
import { INFRASTRUCTURES, isSameProvider, type ProvidedMachine } from '../../../shared/providers/registry.ts';
import { isUnfinished, type Placement } from '../../../shared/providers/unfinished.ts';
import { causeOf, THROTTLED } from '../../../shared/work/failure.ts';
import type { Failure, MachineInput } from '../../../shared/work/payloads.ts';
import {
  clusterOf,
  findHeld,
  type MachineSnapshot,
  machineKey,
  readMachine,
  readMachineObject,
} from '../read-machine.ts';
import { isReleasable, type LeaseHolder } from '../removal.ts';
import { deleteBootstrapData, deleteConfig, needsNoData } from './bootstrap-remains.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { leaveToProvider } from './leave-to-provider.ts';
import { machineRecorder } from './reasons.ts';
import { reportUndeleted } from './report-undeleted.ts';

/**
 * A failed machine is left alone for this time: this limits retries, but lets the machine recover soon after the cause
 * is fixed.
 */
const PAUSE_SECONDS = 20;
/** A machine that has failed for a long time is retried less often, because each attempt costs money. */
const LONG_PAUSE_SECONDS = 300;
const LONG_AFTER_SECONDS = 15 * 60;

const pauseFor = ({ metadata }: Machine, now: Date): number =>
  isOverdue(metadata.creationTimestamp, LONG_AFTER_SECONDS, now) ? LONG_PAUSE_SECONDS : PAUSE_SECONDS;

const placementOf = ({ infrastructureCluster, infrastructureMachine }: MachineSnapshot): Placement => ({
  provider: infrastructureCluster?.provider,
  cluster: infrastructureCluster?.object,
  machine: infrastructureMachine,
});

/**
 * Ends a provisioning. Bootstrap data that the machine did not fetch is removed if it has a node or its instance is
 * gone. A machine that is not finished is left alone for a while. In both cases, the cluster is checked again.
 */
export const finishProvision =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref, holder }: MachineInput) => {
    const { objects, work, touch, clock } = deps;
    const snapshot = await readMachine(objects, ref);
    if (snapshot && needsNoData(snapshot)) {
      await deleteBootstrapData(deps, snapshot);
    }
    if (
      snapshot &&
      !snapshot.machine.metadata.deletionTimestamp &&
      isUnfinished(snapshot.machine, placementOf(snapshot))
    ) {
      await work.extendMachine(ref, holder, pauseFor(snapshot.machine, clock.now()));
    } else {
      await work.releaseMachine(ref, holder);
    }
    await touch(clusterOf(ref));
    return {};
  };

/**
 * After the instance and the node are gone, removes the finalizers of the machine's objects, and that of the Machine
 * last, and touches the cluster. Infrastructure whose instance this execution has not terminated is left to the next
 * one: the machine may also control what it referred to before.
 */
export const finishRemove =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref, holder }: MachineInput) => {
    const { objects, work, touch } = deps;
    const snapshot = await readMachine(objects, ref);
    if (snapshot && (await leaveToProvider(deps, snapshot, { ref, holder }))) return {};
    if (snapshot && !(await release(deps, snapshot, { ref, holder }))) await work.releaseMachine(ref, holder);
    else await work.removeMachine(ref);
    await touch(clusterOf(ref));
    return {};
  };

/** False if infrastructure is left. */
const release = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  execution: LeaseHolder,
): Promise<boolean> => {
  const { objects, work } = deps;
  const { infrastructureMachine, config, distribution, machine } = snapshot;
  if (infrastructureMachine) {
    const { provider, object } = infrastructureMachine;
    if (!(await isReleasable(work, execution, object, provider.finalizers.machine))) return false;
  }
  await useUpPlace(deps, snapshot);
  if (infrastructureMachine) {
    await deleteBootstrapData(deps, snapshot);
    await removeInfrastructure(deps, infrastructureMachine);
    if (await hasFurther(deps, machine, infrastructureMachine)) return false;
  }
  if (config && distribution && !distribution.isOutside) await deleteConfig(objects, distribution, config);
  await objects.mutate(kinds.machine, machine, withoutFinalizer(FINALIZER.machine));
  return true;
};

/**
 * Whether the machine still controls infrastructure, because it has referred to several objects. The provider of the
 * object that was removed is listed only if something indicates that: a cluster of a thousand machines would be listed a
 * thousand times. The other providers have no machines in most clusters.
 */
const hasFurther = async (
  { objects }: MachineObjectsDependencies,
  machine: Machine,
  { provider, object: { metadata, spec } }: ProvidedMachine,
): Promise<boolean> => {
  const { infrastructureRef, providerID } = machine.spec;
  const isReferred = refersTo(provider.machine, infrastructureRef) && infrastructureRef.name === metadata.name;
  const isUsual = isReferred && metadata.name === machine.metadata.name && spec?.providerID === providerID;
  const suspected = INFRASTRUCTURES.filter((one) => !isUsual || !isSameProvider(one, provider));
  return (await findHeld(objects, machine, suspected)) !== null;
};

/** Removes the infrastructure, but keeps that of an external provider which the machine does not control. */
const removeInfrastructure = async (
  { objects }: MachineObjectsDependencies,
  { provider, object }: ProvidedMachine,
): Promise<void> => {
  const { machine: finalizer } = provider.finalizers;
  if (finalizer === undefined) return;
  await objects.delete(provider.machine, object);
  await objects.mutate(provider.machine, object, withoutFinalizer(finalizer));
};

/** Nothing is recorded if the complete cluster is being deleted, because no more machines follow. */
const useUpPlace = async (
  { objects }: MachineObjectsDependencies,
  { machine, cluster, infrastructureCluster }: MachineSnapshot,
) => {
  if (!infrastructureCluster || cluster?.metadata.deletionTimestamp) return;
  const { provider, object } = infrastructureCluster;
  const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
  await objects.mutate(provider.cluster, key, (current) => withUsedPlace(current, machine), { from: object });
};

/**
 * Reports a permanent failure of a step on the machine, and leaves the machine alone for a while. A step that was
 * throttled for as long as the workflow retries has not failed: it only waits longer.
 */
export const fail =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref, holder, failure }: MachineInput & { failure?: Failure }) => {
    const { objects, work, touch, clock } = deps;
    const machine = await readMachineObject(objects, ref);
    if (!machine) {
      await work.removeMachine(ref);
      return {};
    }
    const cause = causeOf(failure);
    const { name, message } = cause;
    if (name === THROTTLED) await machineRecorder(deps).normal(machine, 'RateLimited', message);
    else if (machine.metadata.deletionTimestamp) await reportUndeleted(deps, machine, cause);
    else {
      await machineRecorder(deps).warning(machine, 'FailedProvision', `${name}: ${message}`);
      await reportFailure(deps, ref, name, message);
    }
    const pause = pauseFor(machine, clock.now());
    // An execution that watches for the nodes of several machines holds no lease for its own machine, so all of these
    // machines wait.
    if (!(await work.extendMachine(ref, holder, pause))) await work.holdNodeWatch(clusterOf(ref), holder, pause);
    await touch(clusterOf(ref));
    return {};
  };

const reportFailure = async (
  { objects, clock }: MachineObjectsDependencies,
  ref: MachineInput['machine'],
  name: string,
  message: string,
) => {
  const snapshot = await readMachine(objects, ref);
  if (!snapshot?.infrastructureMachine || snapshot.infrastructureMachine.object.status?.ready) return;
  const { provider, object } = snapshot.infrastructureMachine;
  const key = { namespace: ref.namespace, name: object.metadata.name };
  // If bootstrap data cannot be created, the KubeadmConfig already shows the reason, and the instance only waits.
  const isWaiting = !snapshot.machine.status?.initialization?.bootstrapDataSecretCreated;
  const infrastructure = await objects.mutate(provider.machine, key, (current) =>
    provider.withFailure(current, isWaiting ? undefined : `${name}: ${message}`, clock.now()),
  );
  if (!infrastructure) return;
  const { zone } = provider.instance(infrastructure);
  await objects.mutate(kinds.machine, machineKey(ref), (current) =>
    withObservation(current, { infrastructure, zone }, clock.now()),
  );
};
