import { type AWSMachinePool, type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { LABEL } from '../../../../shared/plan/labels.ts';
import { withoutReconciled } from '../../../../shared/plan/pools/digest.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { hasChanged } from '../../../../shared/providers/aws/machine-pool/changed.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

interface KnownPool {
  pool: AWSMachinePool;
  cluster: Cluster;
}

/** Auto Scaling's limit for one request. */
const NAMES_A_CALL = 50;

/** The pools of a fleet whose groups exist. */
const livePools = (pools: readonly AWSMachinePool[], { clusters }: AwsFleet): KnownPool[] => {
  const keyOf = (namespace: string | undefined, name: string | undefined) => `${namespace}/${name}`;
  const known = new Map(
    clusters.map(({ cluster }) => [keyOf(cluster.metadata.namespace, cluster.metadata.name), cluster]),
  );
  return pools.flatMap((pool) => {
    const { namespace, labels, deletionTimestamp } = pool.metadata;
    const cluster = known.get(keyOf(namespace, labels?.[LABEL.clusterName]));
    if (!cluster || isPaused(cluster) || deletionTimestamp || !pool.status?.ready) return [];
    return [{ pool, cluster }];
  });
};

const changedPools = async (
  { pools: groups }: AwsSweepDependencies,
  pools: readonly KnownPool[],
  { scope }: AwsFleet,
): Promise<KnownPool[]> => {
  const changed: KnownPool[] = [];
  for (let at = 0; at < pools.length; at += NAMES_A_CALL) {
    const page = pools.slice(at, at + NAMES_A_CALL);
    const found = await groups(scope).describe(page.map(({ pool }) => groupNameOf(pool)));
    const byName = new Map(found.map((group) => [group.name, group]));
    changed.push(...page.filter(({ pool }) => hasChanged(pool, byName.get(groupNameOf(pool)))));
  }
  return changed;
};

/**
 * Finds the clusters whose groups others have changed, and marks their pools, so that a pass looks at them. All parts of
 * a fleet share one list of pools; where there is none, nothing is asked.
 */
export const makePoolDrift = (deps: AwsSweepDependencies) => {
  let listed: Promise<AWSMachinePool[]> | undefined;
  return async (_: unknown, fleet: AwsFleet): Promise<Cluster[]> => {
    listed ??= deps.objects.list(kinds.awsMachinePool);
    const changed = await changedPools(deps, livePools(await listed, fleet), fleet);
    for (const { pool } of changed) {
      const { namespace = '', name } = pool.metadata;
      await deps.objects.mutate(kinds.awsMachinePool, { namespace, name }, withoutReconciled);
    }
    return changed.map(({ cluster }) => cluster);
  };
};
