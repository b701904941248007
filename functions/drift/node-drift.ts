import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../shared/decode/describe-error.ts';
import { recordEvent } from '../../shared/events/record.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import { type NodeDrift, planNodeDrift } from '../../shared/plan/drift/nodes.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { readWorkloadTarget } from '../cluster/kubeconfig-secret.ts';
import { giveNotice } from '../events/notice.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';
import type { Fleet, PlacedCluster } from './fleets.ts';

/** Servers of so many clusters are asked at once: each may answer with a list that is as large as one may be. */
const CONCURRENCY = 5;

/** Undefined before the cluster has a kubeconfig. */
const nodesOf = async (
  { objects, connect }: DriftDependencies,
  { cluster }: PlacedCluster,
): Promise<V1Node[] | undefined> => {
  const target = await readWorkloadTarget(objects, cluster);
  if (!target) return undefined;
  const client = (await connect())(target);
  try {
    return await client.nodes();
  } finally {
    await client.close();
  }
};

/**
 * What one cluster's kubeconfig, API server or objects make fail ends the look at this cluster alone. The cluster's own
 * passes fail at the same, and say so on it.
 */
const unlessFailed = async (
  { log }: DriftDependencies,
  { cluster: { metadata } }: PlacedCluster,
  look: () => Promise<Cluster[]>,
): Promise<Cluster[]> => {
  const of = { namespace: metadata.namespace ?? '', name: metadata.name };
  try {
    return await look();
  } catch (error) {
    const isTheirs = error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError;
    if (isTheirs) log.info('the nodes of a cluster could not be read', { ...of, reason: error.message });
    else log.error('the nodes of a cluster could not be looked at', { ...of, ...describeError(error) });
    return [];
  }
};

/** Says or does what the policy asks for. True where a pass has to look at it. */
const actOn = async (deps: DriftDependencies, { known, kind, policy, message }: NodeDrift): Promise<boolean> => {
  const { machine } = known;
  if (kind === 'NodeDeleted' && policy === 'Repair') {
    return giveNotice(deps, machine, { reason: 'Drift', at: deps.clock.now().toISOString(), what: message });
  }
  // The pass writes it down, and then it is known.
  if (findCondition(machine.status?.conditions, 'NodeReady')?.reason === kind) return false;
  const happening = { regarding: machine, type: 'Warning', reason: kind, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
  return true;
};

/** The clusters of a fleet, of those whose `turn` it is, in which somebody has deleted or changed nodes. */
export const nodeDrift = async (
  deps: DriftDependencies,
  { clusters, machines }: Fleet,
  turn: ReadonlySet<PlacedCluster>,
): Promise<Cluster[]> => {
  const looked = clusters.filter(
    (at) => turn.has(at) && !at.cluster.metadata.deletionTimestamp && !isPaused(at.cluster),
  );
  const look = async (at: PlacedCluster): Promise<Cluster[]> => {
    const own = machines.filter(
      ({ cluster, machine }) => cluster.metadata.uid === at.cluster.metadata.uid && machine.status?.nodeRef,
    );
    const nodes = own.length > 0 ? await nodesOf(deps, at) : undefined;
    const drifts = nodes ? planNodeDrift(own, nodes, deps.synced) : [];
    const news = await mapConcurrently(drifts, CONCURRENCY, (drift) => actOn(deps, drift));
    return news.includes(true) ? [at.cluster] : [];
  };
  const found = await mapConcurrently(looked, CONCURRENCY, (at) => unlessFailed(deps, at, () => look(at)));
  return found.flat();
};
