import type { V1Node } from '@kubernetes/client-node';
import { recordEvent } from '../../shared/events/record.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import { type NodeDrift, planNodeDrift } from '../../shared/plan/drift/nodes.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import { WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { readKubeconfig } from '../cluster/kubeconfig-secret.ts';
import { giveNotice } from '../events/notice.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';
import type { Fleet, PlacedCluster } from './fleets.ts';

const CONCURRENCY = 10;

/** Undefined where nobody can or will answer: that is for health checks to say. */
const nodesOf = async (
  { objects, connect, log }: DriftDependencies,
  { cluster: { metadata } }: PlacedCluster,
): Promise<V1Node[] | undefined> => {
  const { namespace = '', name } = metadata;
  const kubeconfig = await readKubeconfig(objects, namespace, name);
  if (!kubeconfig) return undefined;
  const client = (await connect())(kubeconfig);
  try {
    return await client.nodes();
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError)) throw error;
    log.info('the nodes of a cluster could not be read', { namespace, name, reason: error.message });
    return undefined;
  } finally {
    await client.close();
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
  const found = await mapConcurrently(looked, CONCURRENCY, async (at) => {
    const own = machines.filter(
      ({ cluster, machine }) => cluster.metadata.uid === at.cluster.metadata.uid && machine.status?.nodeRef,
    );
    const nodes = own.length > 0 ? await nodesOf(deps, at) : undefined;
    const drifts = nodes ? planNodeDrift(own, nodes, deps.synced) : [];
    const news = await mapConcurrently(drifts, CONCURRENCY, (drift) => actOn(deps, drift));
    return news.includes(true) ? [at.cluster] : [];
  });
  return found.flat();
};
