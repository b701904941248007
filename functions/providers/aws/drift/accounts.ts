import type { AWSCluster, AWSMachine, Cluster } from '../../../../shared/kinds/index.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isExternallyManaged } from '../../../../shared/plan/status/managed-by.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import type { PlacedMachine as PlacedAwsMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { hasSettled, type InfrastructurePart } from '../../../../shared/providers/aws/plan/drift/settled.ts';
import { hasPassed } from '../../../../shared/providers/aws/plan/preflight/gate.ts';
import { type AwsScope, scopeKey } from '../../../../shared/providers/aws/scope.ts';
import type { PlacedCluster } from '../../../../shared/providers/infrastructure.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { Fleet, PlacedMachine, UnreadCluster } from '../../sweep-port.ts';
import type { ScopeOf } from '../aws-scope.ts';
import { IDENTITY_CLAIMS, IdentityError } from '../identity/identity-error.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

/** A cluster with its AWSCluster, also in the form that AWS's planners use. */
export interface PlacedAwsCluster {
  cluster: Cluster;
  awsCluster: AWSCluster;
  infrastructure: AWSCluster;
}

/** The clusters that one listing covers, with their machines. */
export interface AwsFleet {
  scope: AwsScope;
  clusters: PlacedAwsCluster[];
  machines: PlacedAwsMachine[];
  /** Whether other functions handle other clusters in the account. */
  isPart?: boolean;
}

/** The core passes only objects of this provider's kinds. */
const ownCluster = ({ cluster, infrastructure }: PlacedCluster): PlacedAwsCluster => ({
  cluster,
  awsCluster: infrastructure as AWSCluster,
  infrastructure: infrastructure as AWSCluster,
});

/** A machine in the form that AWS's planners use. */
export const ownMachine = ({ machine, cluster, infrastructure, infrastructureCluster }: PlacedMachine) => ({
  ...{ machine, cluster },
  infrastructure: infrastructure as AWSMachine,
  awsCluster: infrastructureCluster as AWSCluster,
});

/** The clusters and machines of the core in the form that AWS's planners use. */
export const ownFleet = (scope: AwsScope, { clusters, machines }: Fleet): AwsFleet => ({
  scope,
  clusters: clusters.map(ownCluster),
  machines: machines.map(ownMachine),
});

/**
 * Whether this part of a cluster's infrastructure is compared: it was complete before, and is neither being deleted nor
 * paused.
 */
export const isLooked = (
  { cluster, awsCluster }: Pick<PlacedAwsCluster, 'cluster' | 'awsCluster'>,
  part: InfrastructurePart,
): boolean =>
  hasSettled(awsCluster, part) &&
  !isExternallyManaged(awsCluster) &&
  !cluster.metadata.deletionTimestamp &&
  !awsCluster.metadata.deletionTimestamp &&
  !isPaused(cluster) &&
  !isObjectPaused(awsCluster);

/** A fleet of the core in one account and region. */
interface AccountFleet extends Fleet {
  scope: AwsScope;
  clusters: PlacedCluster[];
  machines: PlacedMachine[];
}

const hasInstance = ({ infrastructure }: PlacedMachine): boolean =>
  (infrastructure as AWSMachine).spec.instanceID !== undefined;

/** Whether any infrastructure of a fleet was ever found or created in the places of its clusters. */
export const isEstablished = ({ clusters, machines }: Fleet): boolean =>
  clusters.some(({ infrastructure }) => hasPassed(infrastructure as AWSCluster)) || machines.some(hasInstance);

/**
 * Whether an AWSCluster reports an identity that cannot be used. Messages are not compared, because AWS names the role
 * of the calling function. If another system writes the conditions, our passes do not.
 */
const isReported = (awsCluster: AWSCluster, { claims }: IdentityError): boolean =>
  isExternallyManaged(awsCluster) ||
  claims.every(({ type, status }) =>
    awsCluster.status?.conditions?.some((one) => one.type === type && one.status === status),
  );

const IDENTITY_TYPES: readonly string[] = Object.values(IDENTITY_CLAIMS).map(({ type }) => type);

/**
 * Whether an AWSCluster still reports from its last pass that its identity could not be used. If another system writes
 * the conditions, they do not show it, and machines may be waiting for a pass.
 */
export const reportsUnread = ({ infrastructure }: PlacedCluster): boolean =>
  isExternallyManaged(infrastructure) ||
  (infrastructure as AWSCluster).status?.conditions?.some(
    ({ type, status }) => IDENTITY_TYPES.includes(type) && status !== 'True',
  ) === true;

/** The clusters of a fleet, grouped by account and region. */
export interface ByAccount {
  fleets: AccountFleet[];
  /** Clusters whose identity cannot be used. */
  unread: UnreadCluster[];
}

/** The number of roles that are assumed at the same time. */
const IDENTITIES_AT_ONCE = 10;

/** The scope of a cluster, as a function that returns it or throws the error. */
const settled = async (scopeOf: ScopeOf, { infrastructure }: PlacedCluster): Promise<() => AwsScope> => {
  try {
    const scope = await scopeOf(infrastructure as AWSCluster);
    return () => scope;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/** Groups the clusters and machines of a fleet by account and region. */
export const byAccount = async (
  { scopeOf, log }: Pick<AwsSweepDependencies, 'scopeOf' | 'log'>,
  { clusters, machines: all }: Fleet,
  bulkheads: Bulkheads,
): Promise<ByAccount> => {
  const fleets = new Map<string, AccountFleet>();
  const unread: UnreadCluster[] = [];
  const machinesOf = Map.groupBy(all, ({ cluster }) => cluster);
  const scopes = await mapConcurrently(clusters, IDENTITIES_AT_ONCE, (at) => settled(scopeOf, at));
  for (const [index, at] of clusters.entries()) {
    const awsCluster = at.infrastructure as AWSCluster;
    const machines = machinesOf.get(at.cluster) ?? [];
    try {
      const scope = (scopes[index] as () => AwsScope)();
      const fleet = fleets.get(scopeKey(scope)) ?? { scope, clusters: [], machines: [] };
      fleet.clusters.push(at);
      fleet.machines.push(...machines);
      fleets.set(scopeKey(scope), fleet);
    } catch (error) {
      if (!(error instanceof IdentityError)) {
        bulkheads.note('find its account', at, error);
        continue;
      }
      const { namespace, name } = at.cluster.metadata;
      log.warn('the account of a cluster could not be read', { namespace, name, reason: error.message });
      const known = isEstablished({ clusters: [at], machines });
      unread.push({
        ...{ ...at, machines, why: error.message },
        ...{ isReported: isReported(awsCluster, error), isEstablished: known },
      });
    }
  }
  return { fleets: [...fleets.values()], unread };
};
