import type { V1Node } from '@kubernetes/client-node';
import { recordEvent } from '../../shared/events/record.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import { type Notice, withNotice } from '../../shared/plan/instance-events/notice.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { findCondition, isTrue } from '../../shared/plan/status/conditions.ts';
import { type NodeDrift, planNodeDrift } from '../../shared/providers/aws/plan/drift/nodes.ts';
import { isSettled } from '../../shared/providers/aws/plan/drift/states.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { readWorkloadTarget } from '../cluster/kubeconfig-secret.ts';
import { giveNotice } from '../events/notice.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';
import type { Fleet, PlacedCluster } from './fleets.ts';
import type { SweepRun } from './run.ts';

/** Servers of so many clusters are asked at once: each may answer with a list that is as large as one may be. */
const SERVERS_AT_ONCE = 5;

/** Undefined before the cluster has a kubeconfig; `lost` where nobody can or will answer. */
const nodesOf = async (
  { objects, connect, log }: DriftDependencies,
  { cluster }: PlacedCluster,
): Promise<V1Node[] | 'lost' | undefined> => {
  const target = await readWorkloadTarget(objects, cluster);
  if (!target) return undefined;
  const client = (await connect())(target);
  try {
    return await client.nodes();
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError)) throw error;
    const { namespace, name } = cluster.metadata;
    log.info('the nodes of a cluster could not be read', { namespace, name, reason: error.message });
    return 'lost';
  } finally {
    await client.close();
  }
};

const isReplaced = ({ kind, policy }: NodeDrift): boolean => kind === 'NodeDeleted' && policy === 'Repair';

/** The notice by which the owner replaces a machine. */
const noticeOf = ({ clock }: Pick<DriftDependencies, 'clock'>, { message: what }: NodeDrift): Notice => ({
  reason: 'Drift',
  at: clock.now().toISOString(),
  what,
});

/** Says or does what the policy asks for. True where a pass has to look at it. */
const actOn = async (deps: DriftDependencies, drift: NodeDrift): Promise<boolean> => {
  const { known, kind, message } = drift;
  const { machine } = known;
  if (isReplaced(drift)) return giveNotice(deps, machine, noticeOf(deps, drift));
  // The pass writes it down, and then it is known.
  if (findCondition(machine.status?.conditions, 'NodeReady')?.reason === kind) return false;
  const happening = { regarding: machine, type: 'Warning', reason: kind, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
  return true;
};

/** Whether it is news that nobody answers: the pass looks itself, and writes it down. */
const isNewlyLost = ({ cluster }: PlacedCluster): boolean =>
  isTrue(cluster.status?.conditions, 'RemoteConnectionProbe');

/**
 * The clusters of a fleet, of those whose `turn` it is, in which somebody has deleted or changed nodes, or which cannot
 * be reached any more.
 */
export const nodeDrift = async (
  deps: DriftDependencies,
  { clusters, machines }: Fleet,
  turn: ReadonlySet<PlacedCluster>,
  run: SweepRun,
): Promise<Cluster[]> => {
  const looked = clusters.filter(
    (at) => turn.has(at) && !at.cluster.metadata.deletionTimestamp && !isPaused(at.cluster),
  );
  const lost: Cluster[] = [];
  const compare = async (at: PlacedCluster) => {
    const own = machines.filter(
      ({ cluster, machine }) => cluster.metadata.uid === at.cluster.metadata.uid && machine.status?.nodeRef,
    );
    const nodes = own.length > 0 ? await nodesOf(deps, at) : undefined;
    if (nodes === 'lost' && isNewlyLost(at)) lost.push(at.cluster);
    if (!nodes || nodes === 'lost') return [];
    const plans = await run.each('compare its node', own, (known) =>
      isSettled(known) ? planNodeDrift([known], nodes, deps.synced) : [],
    );
    return plans.flat().map((drift) => ({ ...drift.known, drift }));
  };
  const found = await run.each('compare its nodes', looked, compare, SERVERS_AT_ONCE);
  const drifts = found.flat();
  const replaced = drifts.filter(
    ({ machine, drift }) => isReplaced(drift) && withNotice(machine, noticeOf(deps, drift)),
  );
  await run.pledge(replaced.map(({ cluster }) => cluster));
  const news = await run.each('act on its node', drifts, async ({ cluster, drift }) =>
    (await actOn(deps, drift)) ? [cluster] : [],
  );
  return [...lost, ...news.flat()];
};
