import { anyDistributionOf } from '../../../shared/distributions/registry.ts';
import type { BootstrapConfig, ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine, type MachinePool, type MachineSet } from '../../../shared/kinds/index.ts';
import type { InfrastructurePool } from '../../../shared/kinds/infrastructure.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { certificatesExpiryDate } from '../../../shared/plan/control-plane/certificates-expiry.ts';
import { planControlPlane } from '../../../shared/plan/control-plane/plan.ts';
import { isStandalone } from '../../../shared/plan/control-plane/standalone.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { awaitedObservation } from '../../../shared/plan/machines/awaited.ts';
import { type MachineObservation, withObservation } from '../../../shared/plan/machines/status.ts';
import { machinePoolStatus } from '../../../shared/plan/pools/status.ts';
import { clusterStatus, withInitialization } from '../../../shared/plan/status/cluster.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import type { ClusterFacts } from '../../../shared/plan/status/cluster-facts.ts';
import { type ConditionClaim, withConditions } from '../../../shared/plan/status/conditions.ts';
import { certificatesProblem, controlPlaneStatus } from '../../../shared/plan/status/control-plane.ts';
import { machineDeploymentStatus, machineSetStatus, upToDateClaim } from '../../../shared/plan/status/workers.ts';
import { isDeletionHeld } from '../../../shared/plan/topology/hooks/deletion.ts';
import { isMemberOf } from '../../../shared/plan/workers/adoption.ts';
import { infrastructureOf } from '../../../shared/providers/registry.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { releaseAddons } from '../addons/release.ts';
import { type Apart, workApart } from '../apart.ts';
import { machinesOfPool, type PoolObjects, readPools } from '../pools.ts';
import {
  type ClusterSnapshot,
  controlPlaneMachines,
  isControlledBy,
  machinesOfDeployment,
  readCluster,
  workerMachines,
} from '../snapshot.ts';
import { writtenFrom } from '../staged.ts';
import { readClassGates } from './class-gates.ts';
import { controlPlaneFacts } from './control-plane/facts.ts';
import { continueIfInitialized } from './control-plane/initialized.ts';
import { releaseControlPlane } from './control-plane/release.ts';
import { makeWhyOutdated, readConfigs } from './control-plane/up-to-date.ts';
import { finalize } from './deletion/finalize.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { pauseHealthChecks } from './health-checks.ts';
import { endStandaloneInit } from './key-material/standalone.ts';
import { machinePausedClaim, reportPausedConfigs, reportPausedInfrastructure } from './machines/paused.ts';
import { restoreOwnership } from './ownership/restore.ts';
import { blockedForDeployment, blockedForSet, missingForControlPlane, whileMissing } from './references/missing.ts';
import { observeOutside } from './references/outside.ts';

/** A status that cannot be written does not prevent the others from being written. */
type Reporting = ObjectsDependencies & { apart: Apart };

/** Derives every status of the cluster's objects from existing objects; no status is derived from itself. */
export const report = (own: ObjectsDependencies) => async (input: ConvergeInput) => {
  const deps = { ...own, apart: workApart() };
  const read = await readCluster(deps.objects, input.cluster);
  if (!read) return {};
  const snapshot = await observeOutside(deps, read);
  const configs = await readConfigs(deps, snapshot);
  await Promise.all([reportPausedConfigs(deps, snapshot, configs), reportPausedInfrastructure(deps, snapshot)]);
  const poolObjects = await readPools(deps.objects, snapshot);
  await restoreOwnership(deps, snapshot, { configs, pools: poolObjects, turn: input.wanted });
  // What machines wait for is up to date in the same pass as the Cluster's own status.
  const observed = withInitialization(snapshot.cluster, {
    infrastructure: snapshot.infrastructureCluster,
    controlPlane: snapshot.controlPlane,
    controlPlaneMachines: machinesByRole(snapshot).controlPlaneMachines,
  });
  const machines = await reportMachines(deps, { ...snapshot, cluster: observed }, configs);
  const seen = { ...snapshot, machines };
  const [controlPlane, deployments, pools] = await Promise.all([
    reportControlPlane(deps, { ...seen, cluster: observed }, configs),
    reportWorkers(deps, seen),
    reportPools(deps, seen, poolObjects),
  ]);
  const cluster = await reportCluster(deps, seen, { controlPlane, deployments, pools });
  await continueIfInitialized(deps, input, { before: seen.cluster, after: cluster });
  const isHeld = isDeletionHeld(cluster);
  if (!isHeld) await releaseAddons(deps.objects, cluster);
  if (isPaused(cluster)) await pauseHealthChecks(deps, cluster);
  const left = { ...seen, controlPlane, deployments };
  await deps.apart.attempt(() => releaseControlPlane(deps, seen), undefined);
  if (cluster.metadata.deletionTimestamp && !isHeld && pools.length === 0) await finalize(deps, cluster, left);
  deps.apart.rethrow();
  return {};
};

const reportCluster = async (
  deps: Reporting,
  seen: ClusterSnapshot,
  reported: Pick<ClusterFacts, 'controlPlane' | 'deployments' | 'pools'>,
): Promise<Cluster> => {
  const infrastructure = seen.infrastructureCluster;
  const classGates = await readClassGates(deps.objects, seen.cluster);
  const facts: ClusterFacts = { ...reported, infrastructure, sets: seen.sets, classGates, ...machinesByRole(seen) };
  await endStandaloneInit(deps, { before: seen.cluster, after: withInitialization(seen.cluster, facts) });
  return setStatus(deps, kinds.cluster, seen.cluster, (current) => clusterStatus(current, facts, deps.clock.now()));
};

/** The machines of the control plane, and the other machines. */
const machinesByRole = (snapshot: ClusterSnapshot): Pick<ClusterFacts, 'controlPlaneMachines' | 'workerMachines'> => {
  if (!isStandalone(snapshot.cluster))
    return { controlPlaneMachines: controlPlaneMachines(snapshot), workerMachines: workerMachines(snapshot) };
  const isWorker = (machine: Machine): boolean => !isControlPlaneMachine(machine);
  const { machines } = snapshot;
  return { controlPlaneMachines: machines.filter(isControlPlaneMachine), workerMachines: machines.filter(isWorker) };
};

/**
 * Writes the status of an object of the snapshot, and returns the object with it. If the object no longer exists or the
 * status cannot be written, returns it unchanged.
 */
const setStatus = async <T extends KubeObject & { status?: unknown }>(
  { objects, apart }: Reporting,
  resource: ResourceDefinition<T>,
  object: T,
  statusOf: (current: T) => T['status'],
): Promise<T> => {
  const key = { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
  const withStatus = (current: T): T => ({ ...current, status: statusOf(current) });
  const write = async () => (await objects.mutate(resource, key, withStatus, writtenFrom(object))) ?? object;
  return apart.attempt(write, object);
};

/**
 * The facts that a pass determines about a machine: whether it is up to date or paused, when its certificates expire,
 * and what it waits for before the search for its node. All other conditions are set by the machine's own steps.
 */
const reportMachines = async (
  deps: Reporting,
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
): Promise<Machine[]> => {
  const whyOutdated = makeWhyOutdated(snapshot, configs, deps.clock.now());
  const healthTypes = healthTypesOf(snapshot);
  return Promise.all(
    snapshot.machines.map((machine) => {
      const expiry = certificatesExpiryDate(machine, configs.get(machine.metadata.name));
      const dated = { ...machine, status: { ...machine.status, certificatesExpiryDate: expiry } as Machine['status'] };
      const outdated = whyOutdated(dated);
      const absent = unservedParts(machine);
      const health = isControlPlaneMachine(machine) ? healthTypes : [];
      return setStatus(deps, kinds.machine, machine, (current) => {
        const now = deps.clock.now();
        const paused = machinePausedClaim(snapshot, current);
        const claims = [...(outdated ? [upToDateClaim(outdated, current)] : []), paused];
        const awaited = paused.status === 'True' ? undefined : awaitedObservation(current, snapshot.cluster, health);
        const seen = absent || awaited ? withObservation(current, { ...awaited, ...absent }, now) : current;
        return withOwnersView(seen, claims, expiry, now);
      });
    }),
  );
};

const healthTypesOf = ({ controlPlane, distribution }: ClusterSnapshot): readonly string[] => {
  if (!controlPlane || !distribution) return [];
  const { components, node = [], etcd } = distribution.healthConditions(controlPlane);
  return [...components, ...node, ...etcd];
};

/**
 * No step of the machine handles infrastructure or bootstrap objects of a kind that is not served, so this reports that
 * they do not exist.
 */
const unservedParts = ({ spec: { bootstrap, infrastructureRef } }: Machine): MachineObservation | undefined => {
  const config = bootstrap.configRef && !anyDistributionOf('config', bootstrap.configRef) ? { config: null } : {};
  const infrastructure = infrastructureOf('machine', infrastructureRef) ? {} : { infrastructure: null };
  const parts: MachineObservation = { ...config, ...infrastructure };
  return Object.keys(parts).length > 0 ? parts : undefined;
};

const withOwnersView = (
  { metadata, status }: Machine,
  claims: readonly ConditionClaim[],
  expiry: string | undefined,
  now: Date,
): Machine['status'] => {
  const { certificatesExpiryDate: _before, ...rest } = status ?? {};
  const conditions = withConditions(status?.conditions, claims, metadata.generation, now);
  return { ...rest, ...(expiry ? { certificatesExpiryDate: expiry } : {}), conditions } as Machine['status'];
};

const reportControlPlane = async (
  deps: Reporting,
  snapshot: ClusterSnapshot,
  configs: ReadonlyMap<string, BootstrapConfig>,
): Promise<ControlPlane | null> => {
  const { controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution) return null;
  if (distribution.isOutside) return controlPlane;
  const machines = controlPlaneMachines(snapshot);
  const health = distribution.healthConditions(controlPlane);
  const facts = controlPlaneFacts(snapshot, configs, deps.clock.now());
  const missing = facts && (await missingForControlPlane(deps, facts));
  const blocked = facts && planControlPlane(whileMissing(facts, missing)).blocked;
  return setStatus(deps, distribution.controlPlane, controlPlane, (current) => {
    const seen = {
      machines,
      health,
      initialized: current.status?.initialization?.controlPlaneInitialized === true,
      blocked: missing ?? certificatesProblem(current) ?? blocked,
      cluster: snapshot.cluster,
      workersLeft: workerMachines(snapshot).length + snapshot.deployments.length,
      ...(snapshot.upgrade ? { upgrade: snapshot.upgrade } : {}),
    };
    return distribution.status(current, controlPlaneStatus(current, seen, deps.clock.now()), {
      cluster: snapshot.cluster,
      machines,
    });
  });
};

const reportSet = async (deps: Reporting, snapshot: ClusterSnapshot, set: MachineSet): Promise<string | undefined> => {
  const machines = snapshot.machines.filter((machine) => isMemberOf(machine, set));
  const blocked = await blockedForSet(deps, snapshot, set, machines.length);
  await setStatus(deps, kinds.machineSet, set, (current) =>
    machineSetStatus(current, { machines, blocked, cluster: snapshot.cluster }, deps.clock.now()),
  );
  return blocked;
};

const reportWorkers = async (deps: Reporting, snapshot: ClusterSnapshot) => {
  const orphans = snapshot.sets.filter((set) => !snapshot.deployments.some((owner) => isControlledBy(set, owner)));
  await Promise.all(orphans.map((set) => reportSet(deps, snapshot, set)));
  return Promise.all(
    snapshot.deployments.map(async (deployment) => {
      const sets = snapshot.sets.filter((set) => isControlledBy(set, deployment));
      const machines = machinesOfDeployment(snapshot, deployment);
      const reasons = await Promise.all(sets.map((set) => reportSet(deps, snapshot, set)));
      const blocked =
        reasons.find((text) => text !== undefined) ?? (await blockedForDeployment(deps, deployment, sets));
      return setStatus(deps, kinds.machineDeployment, deployment, (current) =>
        machineDeploymentStatus(current, { machines, blocked, cluster: snapshot.cluster }, deps.clock.now()),
      );
    }),
  );
};

/** The kubelet version of each instance of a pool, as its node reports it. */
const reportVersions = async (
  { objects }: ObjectsDependencies,
  { provider, infrastructure }: PoolObjects,
  machines: readonly Machine[],
): Promise<void> => {
  if (!provider || !infrastructure) return;
  const versions = new Map(
    machines.flatMap(({ spec, status }): [string, string][] => {
      const version = status?.nodeInfo?.kubeletVersion;
      return spec.providerID && version ? [[spec.providerID, version]] : [];
    }),
  );
  const { namespace = '', name, uid } = infrastructure.metadata;
  const change = (current: InfrastructurePool) =>
    current.metadata.uid === uid ? provider.pool.withVersions(current, versions) : undefined;
  if (change(infrastructure)) await objects.mutate(provider.pool.kind, { namespace, name }, change);
};

const reportPools = async (
  deps: Reporting,
  snapshot: ClusterSnapshot,
  pools: readonly PoolObjects[],
): Promise<MachinePool[]> => {
  return Promise.all(
    pools.map(async (all) => {
      const { pool, infrastructure, config } = all;
      const machines = machinesOfPool(pool, snapshot.machines);
      await deps.apart.attempt(() => reportVersions(deps, all, machines), undefined);
      return setStatus(deps, kinds.machinePool, pool, (current) =>
        machinePoolStatus(current, { infrastructure, config, machines, cluster: snapshot.cluster }, deps.clock.now()),
      );
    }),
  );
};
