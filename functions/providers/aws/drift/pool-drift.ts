import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachinePool, type Cluster, kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { withGroupChanged } from '../../../../shared/plan/pools/digest.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import { type ListedPool, poolDifferences } from '../../../../shared/providers/aws/machine-pool/drift.ts';
import { withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { hasSubnetFilters, namedSubnets } from '../../../../shared/providers/aws/machine-pool/named-subnets.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { ProvidedFleet } from '../../sweep-port.ts';
import type { AwsFleet, PlacedAwsCluster } from './accounts.ts';
import type { AwsSweepDependencies, PoolListing } from './dependencies.ts';
import { type PoolPlaces, poolPlaces } from './pool-places.ts';

/** Auto Scaling accepts 50 names in a call. */
const MOST_AT_ONCE = 50;

/** The number of pools that are compared concurrently. */
const AT_ONCE = 8;

interface PlacedPool extends PlacedAwsCluster {
  pool: MachinePool;
  awsPool: AWSMachinePool;
}

const keyOf = (namespace: string | undefined, name: string | undefined): string => `${namespace}/${name}`;

const isLookedAt = ({ cluster, pool, awsPool }: PlacedPool): boolean =>
  // Includes a pool that is marked as not settled: the process that marked it may have died before it touched the
  // cluster. A pool whose group was deleted outside is not ready.
  awsPool.spec?.providerID !== undefined &&
  !cluster.metadata.deletionTimestamp &&
  !pool.metadata.deletionTimestamp &&
  !isPaused(cluster) &&
  !isObjectPaused(pool) &&
  !isObjectPaused(awsPool);

/** The pools in the table with their AWSMachinePools. */
interface TablePools {
  pools: readonly MachinePool[];
  awsPools: readonly AWSMachinePool[];
}

/** One list of each kind, and only one if there are no pools. */
const readTable = async (
  { objects }: AwsSweepDependencies,
  { namespaces, budget }: Pick<ProvidedFleet, 'namespaces' | 'budget'>,
): Promise<TablePools> => {
  const pools = await objects.survey(kinds.machinePool, namespaces, budget);
  return { pools, awsPools: pools.length > 0 ? await objects.survey(kinds.awsMachinePool, namespaces, budget) : [] };
};

/** The pools of a fleet whose groups exist, or existed. */
const poolsOf = ({ clusters }: AwsFleet, { pools, awsPools }: TablePools): PlacedPool[] => {
  const byName = new Map(clusters.map((at) => [keyOf(at.cluster.metadata.namespace, at.cluster.metadata.name), at]));
  const own = new Map(awsPools.map((one) => [keyOf(one.metadata.namespace, one.metadata.name), one]));
  return pools
    .flatMap((pool): PlacedPool[] => {
      const { kind, name } = pool.spec.template.spec.infrastructureRef;
      const at = byName.get(keyOf(pool.metadata.namespace, pool.spec.clusterName));
      const awsPool = kind === kinds.awsMachinePool.kind ? own.get(keyOf(pool.metadata.namespace, name)) : undefined;
      return at && awsPool ? [{ ...at, pool, awsPool }] : [];
    })
    .filter(isLookedAt);
};

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/**
 * The subnets that a pool names; undefined if EC2 was not queried or has no matching ones, or if the pool names too
 * many.
 */
const namedBy = async (listing: PoolListing, at: PlacedPool, inTurn: boolean): Promise<string[] | undefined> => {
  if (hasSubnetFilters(at.awsPool) && !inTurn) return undefined;
  try {
    return await namedSubnets(listing.subnets, at);
  } catch (error) {
    if (error instanceof MissingReferenceError || error instanceof RefusedError) return undefined;
    throw error;
  }
};

/** Makes the reads that are possible only for one group at a time, for the pools of the clusters whose turn it is. */
const withDetails = async (
  listing: PoolListing,
  at: PlacedPool,
  listed: ListedPool,
  turn: ReadonlySet<string>,
): Promise<ListedPool> => {
  const inTurn = turn.has(at.cluster.metadata.uid ?? '');
  const named = await namedBy(listing, at, inTurn);
  const hooks = inTurn && listed.group ? await listing.hooks(listed.group.name) : undefined;
  return { ...listed, named, hooks };
};

/** Lists the groups and templates of pools, with two calls for fifty of them. */
const listPools = async (listing: PoolListing, pools: readonly PlacedPool[]): Promise<[PlacedPool, ListedPool][]> => {
  const listed = await Promise.all(
    chunksOf(pools, MOST_AT_ONCE).map(async (chunk) => {
      const names = chunk.map(({ awsPool }) => groupNameOf(awsPool));
      const [groups, templates] = await Promise.all([listing.groups(names), listing.templates(names)]);
      return chunk.map((at): [PlacedPool, ListedPool] => {
        const name = groupNameOf(at.awsPool);
        const { namespace = '' } = at.cluster.metadata;
        const seen = {
          cluster: { namespace, name: at.cluster.metadata.name },
          group: groups.find((one) => one.name === name),
          template: templates.find((one) => one.name === name),
        };
        return [at, { ...at, ...seen }];
      });
    }),
  );
  return listed.flat();
};

/** Marks the pool as not settled, so that the pass over its cluster checks it completely. */
const unsettle = async ({ objects }: AwsSweepDependencies, { awsPool }: PlacedPool): Promise<void> => {
  const { namespace = '', name, uid } = awsPool.metadata;
  await objects.mutate(kinds.awsMachinePool, { namespace, name }, (current) => {
    if (current.metadata.uid !== uid) return undefined;
    const marked = withGroupChanged(current) as AWSMachinePool | undefined;
    return withGroupMemory(marked ?? current, { settled: undefined }) ?? marked;
  });
};

/** A group that has fewer instances than its pool requests only because of a quota does not differ. */
const differencesOf = async (placesOf: PoolPlaces, listed: ListedPool): Promise<string[]> => {
  const found = poolDifferences(listed);
  const places = found.length > 0 ? await placesOf(listed.pool) : undefined;
  return places === undefined ? found : poolDifferences(listed, places);
};

/**
 * The clusters with a pool whose group or launch template was changed outside Windlass, or whose group has different
 * instances than recorded. A region without pools is not queried. A pool that changed twice is found again by the next
 * sweep.
 */
const compare = async (
  deps: AwsSweepDependencies,
  fleet: AwsFleet,
  pools: readonly PlacedPool[],
  turn: ReadonlySet<string>,
  run: Bulkheads,
): Promise<Cluster[]> => {
  if (pools.length === 0) return [];
  const listing = deps.pools(fleet.scope);
  const placesOf = poolPlaces(deps, fleet);
  const concerned = await mapConcurrently(await listPools(listing, pools), AT_ONCE, async ([at, listed]) => {
    try {
      const differences = await differencesOf(placesOf, await withDetails(listing, at, listed, turn));
      if (differences.length === 0) return [];
      const { namespace, name } = at.pool.metadata;
      deps.log.info('a pool differs from what is known of it', {
        namespace,
        name,
        differences: differences.join(', '),
      });
      await unsettle(deps, at);
      return [at.cluster];
    } catch (error) {
      run.note('compare its pool', { cluster: at.cluster, infrastructure: at.infrastructure }, error);
      return [];
    }
  });
  return concerned.flat();
};

/** The check of the pools in one sweep: the table is read once for all accounts and regions. */
export const makePoolDrift = (deps: AwsSweepDependencies, read: Pick<ProvidedFleet, 'namespaces' | 'budget'>) => {
  let table: Promise<TablePools> | undefined;
  return async (
    _: AwsSweepDependencies,
    fleet: AwsFleet,
    turn: ReadonlySet<string>,
    run: Bulkheads,
  ): Promise<Cluster[]> => {
    table ??= readTable(deps, read);
    return compare(deps, fleet, poolsOf(fleet, await table), turn, run);
  };
};
