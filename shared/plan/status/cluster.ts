import { type Cluster, kinds } from '../../kinds/index.ts';
import type { InfrastructureCluster } from '../../kinds/infrastructure.ts';
import { isOwnedByKind } from '../../kinds/reference.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { isStandalone, isStandaloneInitialized } from '../control-plane/standalone.ts';
import { clusterClaims, firstClusterClaims } from './cluster-claims.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { withConditions } from './conditions.ts';
import { countReplicas, countVersions, type ReplicaCounts, sumCounts } from './counts.ts';

type Counters = ReplicaCounts & { desiredReplicas: number; versions?: { version: string; replicas: number }[] };

/**
 * If no control plane object manages the machines, their desired number is unknown (upstream's
 * setControlPlaneReplicas).
 */
const controlPlaneCounters = (
  cluster: Cluster,
  { controlPlane, controlPlaneMachines }: ClusterFacts,
): Partial<Counters> => {
  const versions = countVersions(controlPlaneMachines);
  if (controlPlane) {
    const desiredReplicas = controlPlane.spec.replicas ?? 1;
    return { desiredReplicas, ...sumCounts([controlPlane.status ?? {}]), ...versions };
  }
  if (!isStandalone(cluster) || controlPlaneMachines.length === 0) return {};
  return { ...countReplicas(controlPlaneMachines), ...versions };
};

/** The topology itself reports the remaining versions of an upgrade. */
const plannedBy = (summary: { upgradePlan?: unknown } | undefined) =>
  summary?.upgradePlan === undefined ? {} : { upgradePlan: summary.upgradePlan };

const isOfCluster = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(isOwnedByKind(kinds.cluster)) ?? false;

/**
 * The sums over all workers, including MachineSets and Machines without another owner; absent without workers
 * (upstream's setWorkersReplicas, core/reconcilers/cluster/cluster_controller_status.go).
 */
const workerCounters = ({ deployments, sets, pools, workerMachines }: ClusterFacts): Partial<Counters> => {
  const owners = [...deployments, ...pools, ...sets.filter(isOfCluster)];
  const single = workerMachines.filter(isOfCluster);
  if (owners.length + single.length === 0) return {};
  return {
    desiredReplicas: owners.reduce((total, { spec }) => total + (spec.replicas ?? 1), single.length),
    ...sumCounts([...owners.map(({ status }) => status ?? {}), countReplicas(single)]),
    ...countVersions(workerMachines),
  };
};

/** The failure domains of the infrastructure (a map in the provider's contract) in the form of a Cluster's list. */
export const failureDomainsOf = (
  infrastructure: InfrastructureCluster | null,
): { name: string; controlPlane?: boolean; attributes?: Record<string, string> }[] =>
  Object.entries(infrastructure?.status?.failureDomains ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, domain]) => ({ name, ...domain }));

/**
 * The phase of a Cluster. As in upstream, later rules take precedence. Provisioned does not mean that the control plane
 * is available.
 */
const phaseOf = (cluster: Cluster, provisioned: boolean): string => {
  const { host, port } = cluster.spec.controlPlaneEndpoint ?? {};
  if (cluster.metadata.deletionTimestamp) return 'Deleting';
  if (provisioned && host && port) return 'Provisioned';
  if (cluster.spec.infrastructureRef || cluster.spec.controlPlaneRef) return 'Provisioning';
  return cluster.status?.phase || 'Pending';
};

type InitializationFacts = Pick<ClusterFacts, 'infrastructure' | 'controlPlane' | 'controlPlaneMachines'>;

/** As in upstream, what was once true about a cluster's initialization remains true. */
const initializationOf = (
  cluster: Cluster,
  { infrastructure, controlPlane, controlPlaneMachines }: InitializationFacts,
): NonNullable<NonNullable<Cluster['status']>['initialization']> => {
  const before = cluster.status?.initialization;
  const provisioned = infrastructure?.status?.ready === true || before?.infrastructureProvisioned === true;
  const initialized =
    controlPlane?.status?.initialization?.controlPlaneInitialized === true ||
    before?.controlPlaneInitialized === true ||
    isStandaloneInitialized(cluster, controlPlaneMachines);
  return {
    ...(provisioned ? { infrastructureProvisioned: true } : {}),
    ...(initialized ? { controlPlaneInitialized: true } : {}),
  };
};

/** The cluster with the initialization that its next status will report. */
export const withInitialization = (cluster: Cluster, facts: InitializationFacts): Cluster => ({
  ...cluster,
  status: { ...cluster.status, initialization: initializationOf(cluster, facts) } as Cluster['status'],
});

/** The status of a Cluster. */
export const clusterStatus = (cluster: Cluster, facts: ClusterFacts, now: Date): NonNullable<Cluster['status']> => {
  const initialization = initializationOf(cluster, facts);
  const { infrastructureProvisioned: provisioned = false, controlPlaneInitialized: initialized = false } =
    initialization;
  const { controlPlane: before, ...others } = cluster.status ?? {};
  const controlPlane = { ...plannedBy(before), ...controlPlaneCounters(cluster, facts) };
  const domains = failureDomainsOf(facts.infrastructure);
  const claims = clusterClaims(cluster, facts, { provisioned, initialized });
  return {
    ...others,
    ...(provisioned || initialized ? { initialization } : {}),
    ...(domains.length > 0 ? { failureDomains: domains } : {}),
    ...(Object.keys(controlPlane).length > 0 ? { controlPlane } : {}),
    workers: { ...plannedBy(cluster.status?.workers), ...workerCounters(facts) },
    phase: phaseOf(cluster, provisioned),
    conditions: withConditions(cluster.status?.conditions, claims, cluster.metadata.generation, now),
    observedGeneration: cluster.metadata.generation,
  } as NonNullable<Cluster['status']>;
};

/** The status of a Cluster that has not been observed yet. */
export const firstClusterStatus = (cluster: Cluster, now: Date): NonNullable<Cluster['status']> =>
  ({
    ...cluster.status,
    phase: phaseOf(cluster, false),
    conditions: withConditions(
      cluster.status?.conditions,
      firstClusterClaims(cluster),
      cluster.metadata.generation,
      now,
    ),
    observedGeneration: cluster.metadata.generation,
  }) as NonNullable<Cluster['status']>;
