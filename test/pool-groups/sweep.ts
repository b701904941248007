import { SWEEP_LIMITS } from '../../functions/drift/memory-limits.ts';
import { poolListing } from '../../functions/providers/aws/drift/fleet.ts';
import { makePoolDrift } from '../../functions/providers/aws/drift/pool-drift.ts';
import { type AWSCluster, type Cluster, kinds } from '../../shared/kinds/index.ts';
import { makeReadBudget } from '../../shared/kube-api/storage/read-budget.ts';
import { silentLog } from '../../shared/log.ts';
import { withReconciled } from '../../shared/plan/pools/digest.ts';
import { CONTROLLER_IDENTITY } from '../../shared/providers/aws/scope.ts';
import { KEY, type PoolWorld } from './world.ts';

const RED = { namespace: 'default', name: 'red' };

/** Does what the core does when a pool has reached its desired state. */
export const settleCore = async (world: PoolWorld): Promise<void> => {
  await world.settle();
  await world.objects.mutate(kinds.awsMachinePool, KEY, (pool) => withReconciled(pool, 'reached') as typeof pool);
};

/** The names of the clusters that the sweep finds; `inTurn`: whether it is the cluster's turn for a detailed check. */
export const sweepPools = async (world: PoolWorld, inTurn = false): Promise<string[]> => {
  const cluster = (await world.objects.get(kinds.cluster, RED)) as Cluster;
  const awsCluster = (await world.objects.get(kinds.awsCluster, RED)) as AWSCluster;
  const scope = { region: 'us-east-1', identity: CONTROLLER_IDENTITY };
  const fleet = { scope, clusters: [{ cluster, awsCluster, infrastructure: awsCluster }], machines: [] };
  const deps = {
    ...{ objects: world.objects, log: silentLog },
    pools: () => poolListing(world.ec2, world.autoScaling),
  } as unknown as Parameters<typeof makePoolDrift>[0];
  const run = {
    note: (what: string, _at: object, error: unknown) => {
      throw new Error(what, { cause: error });
    },
  };
  const found = await makePoolDrift(deps, { namespaces: [KEY.namespace], budget: makeReadBudget(SWEEP_LIMITS) })(
    deps,
    fleet,
    new Set(inTurn ? [cluster.metadata.uid ?? ''] : []),
    run as never,
  );
  return found.map(({ metadata }) => metadata.name);
};
