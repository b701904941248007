import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { FINALIZER, isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { infrastructureOf } from '../../../shared/providers/registry.ts';
import type { MachineInput, ProceedResult } from '../../../shared/work/payloads.ts';
import { isMachinePaused } from '../../cluster/paused-parts.ts';
import { type MachineSnapshot, machineKey } from '../read-machine.ts';
import { bootstrapData } from './bootstrap-data.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { ownObjects } from './own-objects.ts';
import { readOwnMachine } from './read-own.ts';

/** Longer than any wait between two checks, so that a running execution always keeps its lease. */
const MACHINE_LEASE_SECONDS = 120;

const STOP: ProceedResult = { proceed: false, controlPlane: false, infrastructure: '', endpoint: '' };

/** The provider is that of the infrastructure that was found, to which the machine may no longer refer. */
const proceed = ({ machine, cluster, infrastructureMachine }: MachineSnapshot): ProceedResult => ({
  proceed: true,
  controlPlane: isControlPlaneMachine(machine),
  infrastructure:
    (infrastructureMachine?.provider ?? infrastructureOf('machine', machine.spec.infrastructureRef))?.name ?? '',
  endpoint: infrastructureOf('cluster', cluster?.spec.infrastructureRef)?.name ?? '',
});

/** As in upstream, a cluster of an external provider that was provisioned once remains provisioned. */
const hasFoundation = ({ cluster, infrastructureCluster }: MachineSnapshot): boolean =>
  infrastructureCluster !== null &&
  (infrastructureCluster.object.status?.ready === true ||
    (infrastructureCluster.provider.isOutside === true &&
      cluster?.status?.initialization?.infrastructureProvisioned === true));

/** Whether bootstrap data exists or can be created here; an external provider must have created its own. */
const mayHaveData = ({ machine, config, distribution }: MachineSnapshot): boolean =>
  machine.spec.bootstrap.dataSecretName !== undefined ||
  (config !== null && (!distribution?.isOutside || config.status?.initialization?.dataSecretCreated === true));

/**
 * Whether everything that provisioning needs exists. An object that another Machine controls exists as well; the next
 * step refuses it.
 */
const isComplete = (snapshot: MachineSnapshot): boolean => {
  if (snapshot.taken?.length) return true;
  return mayHaveData(snapshot) && snapshot.infrastructureMachine !== null;
};

const withMachineFinalizer = (machine: Machine): Machine | undefined => {
  const finalizers = machine.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER.machine)) return undefined;
  return { ...machine, metadata: { ...machine.metadata, finalizers: [...finalizers, FINALIZER.machine] } };
};

/**
 * Adds the finalizer: without it, a machine that a user has written could disappear while its instance is launched.
 * False if the machine is gone or in deletion.
 */
const protect = async ({ objects }: MachineObjectsDependencies, machine: Machine): Promise<boolean> => {
  const { namespace = '', name, uid } = machine.metadata;
  const isOpen = ({ metadata }: Machine): boolean => metadata.uid === uid && !metadata.deletionTimestamp;
  const change = (current: Machine) => (isOpen(current) ? withMachineFinalizer(current) : undefined);
  const kept = await objects.mutate(kinds.machine, { namespace, name }, change, { from: machine });
  return kept !== undefined && isOpen(kept);
};

/**
 * Acquires the machine's lease if the machine must be provisioned and everything that this needs exists. A missing
 * object is no error: the cluster's next pass retries.
 */
export const beginProvision =
  (deps: MachineObjectsDependencies) =>
  async (input: MachineInput): Promise<ProceedResult> => {
    const { objects, work } = deps;
    const { machine: ref, holder } = input;
    const snapshot = await readOwnMachine(objects, ref);
    if (!snapshot || snapshot.machine.metadata.deletionTimestamp) return STOP;
    const { infrastructureMachine, cluster } = snapshot;
    if (!cluster || isPaused(cluster) || cluster.metadata.deletionTimestamp) return STOP;
    if (isMachinePaused(snapshot.machine, infrastructureMachine) || !isComplete(snapshot) || !hasFoundation(snapshot))
      return STOP;
    const { acquired } = await work.beginMachine(ref, holder, MACHINE_LEASE_SECONDS);
    if (!acquired) return STOP;
    if (!(await protect(deps, snapshot.machine))) {
      await work.releaseMachine(ref, holder);
      return STOP;
    }
    await ownObjects(deps, snapshot);
    // An external provider creates the instance when it sees the data, so nothing is launched here.
    if (infrastructureMachine?.provider.isOutside === true) await bootstrapData(deps)(input);
    return proceed(snapshot);
  };

/** Acquires the lease of a machine in deletion. */
export const beginRemove =
  ({ objects, work }: MachineObjectsDependencies) =>
  async ({ machine: ref, holder }: MachineInput): Promise<ProceedResult> => {
    const snapshot = await readOwnMachine(objects, ref);
    if (!snapshot?.machine.metadata.deletionTimestamp) return STOP;
    // As in upstream: clusterctl deletes the objects of a paused cluster that was moved.
    if (snapshot.cluster && isPaused(snapshot.cluster)) return STOP;
    if (isMachinePaused(snapshot.machine, snapshot.infrastructureMachine)) return STOP;
    const { acquired } = await work.beginMachine(ref, holder, MACHINE_LEASE_SECONDS);
    if (!acquired) return STOP;
    // A moved machine may not have the finalizer that protects it until its instance is gone.
    await objects.mutate(kinds.machine, machineKey(ref), withMachineFinalizer);
    return proceed(snapshot);
  };
