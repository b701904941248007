import { describeAwsError } from '../../shared/aws/errors.ts';
import { type AWSCluster, type AWSMachine, type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { isExternallyManaged } from '../../shared/plan/status/managed-by.ts';
import type { PlacedMachine } from '../../shared/providers/aws/plan/drift/difference.ts';
import { hasSettled, type InfrastructurePart } from '../../shared/providers/aws/plan/drift/settled.ts';
import { awsName } from '../../shared/providers/aws/references.ts';
import { type AwsScope, scopeKey } from '../../shared/providers/aws/scope.ts';
import type { Bulkheads } from '../providers/aws/bulkheads.ts';
import { IdentityError } from '../providers/aws/identity/identity-error.ts';
import type { DriftDependencies } from './dependencies.ts';

type FleetDependencies = Pick<DriftDependencies, 'objects' | 'scopeOf' | 'log'>;

/** A cluster with the infrastructure that places it in an account and a region. */
export interface PlacedCluster {
  cluster: Cluster;
  awsCluster: AWSCluster;
}

/** The clusters that one listing shows, with their machines. */
export interface Fleet {
  scope: AwsScope;
  clusters: PlacedCluster[];
  machines: PlacedMachine[];
}

export interface Fleets {
  fleets: Fleet[];
  /** Uids of all machines of the table, also of those without an instance. */
  machineUids: ReadonlySet<string>;
}

/** Whether a part of a cluster's infrastructure was complete, and nobody takes it down or keeps us from it. */
export const isLooked = ({ cluster, awsCluster }: PlacedCluster, part: InfrastructurePart): boolean =>
  hasSettled(awsCluster, part) &&
  !isExternallyManaged(awsCluster) &&
  !cluster.metadata.deletionTimestamp &&
  !awsCluster.metadata.deletionTimestamp &&
  !isPaused(cluster);

const keyOf = (namespace: string | undefined, name: string): string => `${namespace}/${name}`;

const byKey = <T extends KubeObject>(objects: readonly T[]): Map<string, T> =>
  new Map(objects.map((object) => [keyOf(object.metadata.namespace, object.metadata.name), object]));

const place = (clusters: readonly Cluster[], awsClusters: readonly AWSCluster[]): PlacedCluster[] => {
  const infrastructures = byKey(awsClusters);
  return clusters.flatMap((cluster): PlacedCluster[] => {
    const name = awsName('cluster', cluster.spec.infrastructureRef);
    const awsCluster = name && infrastructures.get(keyOf(cluster.metadata.namespace, name));
    return awsCluster ? [{ cluster, awsCluster }] : [];
  });
};

const joinMachines = (
  placed: readonly PlacedCluster[],
  machines: readonly Machine[],
  awsMachines: readonly AWSMachine[],
): Map<PlacedCluster, PlacedMachine[]> => {
  const clusters = new Map(
    placed.map((one) => [keyOf(one.cluster.metadata.namespace, one.cluster.metadata.name), one]),
  );
  const infrastructures = byKey(awsMachines);
  const joined = new Map<PlacedCluster, PlacedMachine[]>(placed.map((one) => [one, []]));
  for (const machine of machines) {
    const { namespace } = machine.metadata;
    const at = clusters.get(keyOf(namespace, machine.spec.clusterName));
    const name = awsName('machine', machine.spec.infrastructureRef);
    const infrastructure = name && infrastructures.get(keyOf(namespace, name));
    if (at && infrastructure) joined.get(at)?.push({ machine, infrastructure, ...at });
  }
  return joined;
};

/**
 * The clusters and machines of the table by the account and region in which they are. A cluster whose account nobody may
 * enter is in no fleet.
 */
export const readFleets = async (deps: FleetDependencies, bulkheads: Bulkheads): Promise<Fleets> => {
  const { objects, scopeOf, log } = deps;
  const [machines, awsMachines, clusters, awsClusters] = await Promise.all([
    objects.list(kinds.machine),
    objects.list(kinds.awsMachine),
    objects.list(kinds.cluster),
    objects.list(kinds.awsCluster),
  ]);
  const fleets = new Map<string, Fleet>();
  for (const [at, own] of joinMachines(place(clusters, awsClusters), machines, awsMachines)) {
    try {
      const scope = await scopeOf(at.awsCluster);
      const fleet = fleets.get(scopeKey(scope)) ?? { scope, clusters: [], machines: [] };
      fleet.clusters.push(at);
      fleet.machines.push(...own);
      fleets.set(scopeKey(scope), fleet);
    } catch (error) {
      const { namespace, name } = at.cluster.metadata;
      // The cluster says what is wrong with its identity; the sweep is whole without it.
      if (!(error instanceof IdentityError)) bulkheads.note('find its account', at, error);
      else log.warn('the account of a cluster could not be read', { namespace, name, reason: describeAwsError(error) });
    }
  }
  return {
    fleets: [...fleets.values()],
    machineUids: new Set(machines.map(({ metadata }) => metadata.uid ?? '')),
  };
};
