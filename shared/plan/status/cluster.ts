import type { Cluster } from '../../kinds/index.ts';
import type { InfrastructureCluster } from '../../kinds/infrastructure.ts';
import { clusterClaims, firstClusterClaims } from './cluster-claims.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { withConditions } from './conditions.ts';
import { countVersions, type ReplicaCounts, sumCounts } from './counts.ts';

type Counters = ReplicaCounts & { desiredReplicas: number; versions?: { version: string; replicas: number }[] };

const controlPlaneCounters = ({ controlPlane, controlPlaneMachines }: ClusterFacts): Counters | undefined =>
  controlPlane
    ? {
        desiredReplicas: controlPlane.spec.replicas ?? 1,
        ...sumCounts([controlPlane.status ?? {}]),
        ...countVersions(controlPlaneMachines),
      }
    : undefined;

/** The topology itself reports the versions that it still has to pass through. */
const plannedBy = (summary: { upgradePlan?: unknown } | undefined) =>
  summary?.upgradePlan === undefined ? {} : { upgradePlan: summary.upgradePlan };

const workerCounters = ({ deployments, pools, workerMachines }: ClusterFacts): Counters => ({
  desiredReplicas: [...deployments, ...pools].reduce((total, { spec }) => total + (spec.replicas ?? 1), 0),
  ...sumCounts([...deployments, ...pools].map(({ status }) => status ?? {})),
  ...countVersions(workerMachines),
});

/** Failure domains of the infrastructure (a map in the provider's contract) as the list that a Cluster carries. */
export const failureDomainsOf = (
  infrastructure: InfrastructureCluster | null,
): { name: string; controlPlane?: boolean; attributes?: Record<string, string> }[] =>
  Object.entries(infrastructure?.status?.failureDomains ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, domain]) => ({ name, ...domain }));

/** Phase of a Cluster, in upstream's order: later rules win. Provisioned does not mean that the control plane is up. */
const phaseOf = (cluster: Cluster, provisioned: boolean): string => {
  const { host, port } = cluster.spec.controlPlaneEndpoint ?? {};
  if (cluster.metadata.deletionTimestamp) return 'Deleting';
  if (provisioned && host && port) return 'Provisioned';
  if (cluster.spec.infrastructureRef || cluster.spec.controlPlaneRef) return 'Provisioning';
  return cluster.status?.phase || 'Pending';
};

/** The status of a Cluster. What was once true of its initialization stays true, as upstream. */
export const clusterStatus = (cluster: Cluster, facts: ClusterFacts, now: Date): NonNullable<Cluster['status']> => {
  const before = cluster.status?.initialization;
  const provisioned = facts.infrastructure?.status?.ready === true || before?.infrastructureProvisioned === true;
  const initialized =
    facts.controlPlane?.status?.initialization?.controlPlaneInitialized === true ||
    before?.controlPlaneInitialized === true;
  const initialization = {
    ...(provisioned ? { infrastructureProvisioned: true } : {}),
    ...(initialized ? { controlPlaneInitialized: true } : {}),
  };
  const controlPlane = controlPlaneCounters(facts);
  const domains = failureDomainsOf(facts.infrastructure);
  const claims = clusterClaims(cluster, facts, { provisioned, initialized });
  return {
    ...cluster.status,
    ...(provisioned || initialized ? { initialization } : {}),
    ...(domains.length > 0 ? { failureDomains: domains } : {}),
    ...(controlPlane ? { controlPlane: { ...plannedBy(cluster.status?.controlPlane), ...controlPlane } } : {}),
    workers: { ...plannedBy(cluster.status?.workers), ...workerCounters(facts) },
    phase: phaseOf(cluster, provisioned),
    conditions: withConditions(cluster.status?.conditions, claims, cluster.metadata.generation, now),
    observedGeneration: cluster.metadata.generation,
  } as NonNullable<Cluster['status']>;
};

/** The status of a Cluster that was not observed yet. */
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
