/** The part of a pass for infrastructure that an external provider reconciles (shared/outside). */
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import { distributionIn } from '../../../../shared/distributions/registry.ts';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../../shared/kube-api/object.ts';
import { withFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { ANNOTATION, FINALIZER } from '../../../../shared/plan/labels.ts';
import { withController } from '../../../../shared/plan/machines/ownership.ts';
import { type MachineObservation, withObservation } from '../../../../shared/plan/machines/status.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { infrastructureOf } from '../../../../shared/providers/registry.ts';
import type { ConvergeInput, ReadyResult } from '../../../../shared/work/payloads.ts';
import type { Apart } from '../../apart.ts';
import { type ClusterSnapshot, isControlledBy, readCluster } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { certificates } from '../key-material/certificates.ts';

/**
 * Creates the certificates, and returns whether the provider has created the infrastructure. As in upstream, a cluster
 * that was provisioned once remains provisioned.
 */
export const awaitOutside =
  (deps: ObjectsDependencies) =>
  async (input: ConvergeInput): Promise<ReadyResult> => {
    const made = await certificates(deps)(input);
    const snapshot = await readCluster(deps.objects, input.cluster);
    if (!made.ready || !snapshot?.infrastructureCluster) return { ready: false };
    const { infrastructureCluster, cluster } = snapshot;
    const was = cluster.status?.initialization?.infrastructureProvisioned === true;
    return { ready: infrastructureCluster.status?.ready === true || was };
  };

const isInfrastructureOutside = ({ spec }: Machine): boolean =>
  infrastructureOf('machine', spec.infrastructureRef)?.isOutside === true;

/** The distribution of the configuration, if it is an external one. */
const bootstrapOf = (cluster: Cluster, { spec: { bootstrap } }: Machine): Distribution | undefined => {
  const distribution = distributionIn(cluster, 'config', bootstrap.configRef);
  return distribution?.isOutside ? distribution : undefined;
};

/**
 * As upstream does, makes a Machine the controller of an object to which it refers, and removes the Machine's own
 * owner, which controls the object until the Machine exists. Returns null if another object controls it, because it
 * must not be used then.
 */
const own = async <T extends KubeObject>(
  { objects }: ObjectsDependencies,
  resource: ResourceDefinition<T>,
  object: T | undefined,
  machine: Machine,
): Promise<T | null> => {
  if (!object || machine.metadata.deletionTimestamp) return object ?? null;
  const owners = new Set(machine.metadata.ownerReferences?.map(({ uid }) => uid));
  const rest = ({ metadata }: T) => (metadata.ownerReferences ?? []).filter(({ uid }) => !owners.has(uid));
  const isOwn = (current: T): boolean =>
    isControlledBy(current, machine) || !rest(current).some(({ controller }) => controller);
  const change = (current: T): T | undefined =>
    isOwn(current)
      ? withController({ ...current, metadata: { ...current.metadata, ownerReferences: rest(current) } }, machine)
      : undefined;
  const written = await objects.mutate(resource, keyOf(object), change, { from: object });
  return written && isControlledBy(written, machine) ? written : null;
};

const observedInfrastructure = async (
  deps: ObjectsDependencies,
  { infrastructureMachines }: ClusterSnapshot,
  machine: Machine,
): Promise<MachineObservation> => {
  if (!isInfrastructureOutside(machine)) return {};
  const { provider, object } = infrastructureMachines.get(machine.metadata.name) ?? {};
  const infrastructure = provider ? await own(deps, provider.machine, object, machine) : null;
  return { infrastructure, zone: infrastructure ? provider?.instance(infrastructure).zone : undefined };
};

const observedConfig = async (
  deps: ObjectsDependencies,
  { cluster }: ClusterSnapshot,
  machine: Machine,
): Promise<MachineObservation> => {
  const distribution = bootstrapOf(cluster, machine);
  if (!distribution) return {};
  const { namespace = '' } = machine.metadata;
  const key = { namespace, name: machine.spec.bootstrap.configRef?.name ?? '' };
  const config = await deps.objects.get(distribution.config, key);
  return { config: await own(deps, distribution.config, config, machine) };
};

const observe = async (deps: ObjectsDependencies, snapshot: ClusterSnapshot, machine: Machine): Promise<Machine> => {
  const [infrastructure, config] = await Promise.all([
    observedInfrastructure(deps, snapshot, machine),
    observedConfig(deps, snapshot, machine),
  ]);
  const change = (current: Machine) =>
    withObservation(hold(current) ?? current, { ...infrastructure, ...config }, deps.clock.now());
  return (await deps.objects.mutate(kinds.machine, keyOf(machine), change, { from: machine })) ?? machine;
};

/**
 * Machines of an external control plane are created without the finalizer that protects them until their instance is
 * gone.
 */
const hold = withFinalizer(FINALIZER.machine);

const isObserved = (cluster: Cluster, machine: Machine): boolean =>
  (isInfrastructureOutside(machine) || bootstrapOf(cluster, machine) !== undefined) &&
  !(ANNOTATION.paused in (machine.metadata.annotations ?? {}));

/**
 * Copies the reports of external providers to machines in each pass: their controllers write them, and the write starts
 * the pass. Returns the snapshot with the updated machines; one that cannot be written is unchanged.
 */
export const observeOutside = async (
  deps: ObjectsDependencies & { apart: Apart },
  snapshot: ClusterSnapshot,
): Promise<ClusterSnapshot> => {
  if (isPaused(snapshot.cluster)) return snapshot;
  const observed = async (machine: Machine): Promise<Machine> => {
    if (isObserved(snapshot.cluster, machine)) return observe(deps, snapshot, machine);
    return hold(machine) ? ((await deps.objects.mutate(kinds.machine, keyOf(machine), hold)) ?? machine) : machine;
  };
  const machines = snapshot.machines.map((machine) => deps.apart.attempt(() => observed(machine), machine));
  return { ...snapshot, machines: await Promise.all(machines) };
};
