import type { V1Node } from '@kubernetes/client-node';
import { recordEvent } from '../../../shared/events/record.ts';
import type { Cluster, Machine } from '../../../shared/kinds/index.ts';
import type { EtcdMembership } from '../../../shared/plan/control-plane/etcd-view.ts';
import { isStandalone } from '../../../shared/plan/control-plane/standalone.ts';
import type { SystemPod } from '../../../shared/plan/control-plane/system-pod.ts';
import { hasNodeNews } from '../../../shared/plan/drift/node-news.ts';
import { type NodeDrift, planNodeDrift } from '../../../shared/plan/drift/nodes.ts';
import { brokenNodes } from '../../../shared/plan/drift/nodes-broken.ts';
import { withNotice } from '../../../shared/plan/instance-events/notice.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { readMembership } from '../../cluster/etcd-members.ts';
import { readWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import { isProbed } from '../../cluster/probed.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import { giveNotice } from '../../events/notice.ts';
import type { PlacedMachine } from '../../providers/sweep-port.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';
import type { UnreadPart } from '../fleet/observe.ts';
import { replacement } from '../instances/differences.ts';
import { SERVERS_AT_ONCE, type SweepRun } from '../run.ts';
import { areDutiesNew, readServices } from './duties.ts';
import { type Checks, checksOf, isHealthDrift } from './health-drift.ts';
import { hasAnswered, isSilent, looksOf } from './looks.ts';

/** The time for queries of clusters. */
const TIME_MILLISECONDS = 120_000;
/** No query begins later, because an invocation has 300 seconds, and passes are requested after the queries. */
const LATEST_MILLISECONDS = 210_000;

interface Seen {
  nodes: V1Node[];
  /** The pods of the control plane, if they are compared. */
  pods: SystemPod[] | undefined;
  /** etcd's members; undefined if etcd was not queried or did not respond. */
  etcd: EtcdMembership | undefined;
  /** Whether the cluster needs load balancers or routes that no pass has completed yet. */
  hasNewDuties: boolean;
}

/**
 * Queries a cluster. Undefined if the cluster has no kubeconfig yet; `lost` if no server answers. `controlPlane`: the
 * machines whose pods and etcd members are needed.
 */
const lookInto = async (
  deps: DriftDependencies,
  at: PlacedCluster,
  { controlPlane, isHourly }: { controlPlane: readonly Machine[]; isHourly: boolean },
): Promise<Seen | 'lost' | undefined> => {
  const { objects, connect, log } = deps;
  const { cluster } = at;
  const target = await readWorkloadTarget(objects, cluster);
  if (!target) return undefined;
  const client = (await connect())(target);
  try {
    const [nodes, pods, services] = await Promise.all([
      client.nodes(),
      controlPlane.length > 0 ? client.controlPlanePods() : undefined,
      readServices(client, cluster, isHourly),
    ]);
    const parent = pods && (await readControlPlane(objects, cluster));
    const etcd = parent && (await readMembership(objects, client, parent, controlPlane, pods));
    return { nodes, pods, etcd, hasNewDuties: areDutiesNew(at, { nodes, services }, isHourly) };
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

type DriftedMachine = PlacedMachine & { drift: NodeDrift };

/** Reports the difference or applies the policy. True if the cluster needs a pass. */
const actOn = async (deps: DriftDependencies, { cluster, machine, drift }: DriftedMachine): Promise<boolean> => {
  const { kind, message } = drift;
  if (isReplaced(drift)) return giveNotice(deps, machine, replacement(drift, deps.clock.now()));
  // The pass records the difference, and from then on it is known.
  if (findCondition(machine.status?.conditions, 'NodeReady')?.reason === kind) return false;
  const happening = { regarding: machine, type: 'Warning', reason: kind, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
  return isProbed(cluster);
};

/** Nodes that no pass reads never get the labels of their Machines. */
const isReported = (cluster: Cluster, { kind }: NodeDrift): boolean => kind === 'NodeDeleted' || isProbed(cluster);

/** Whether a pass over the cluster would find anything that the last one did not. */
const isNews = (
  deps: DriftDependencies,
  at: PlacedCluster,
  { hasNewDuties, ...seen }: Seen,
  facts: Parameters<typeof isHealthDrift>[1],
): boolean => {
  if (hasNewDuties || !isProbed(at.cluster)) return hasNewDuties;
  // It is also news that the server answers.
  return isSilent(at) || hasNodeNews(facts.machines, seen) || isHealthDrift(deps, facts);
};

/**
 * Compares as many clusters as time allows: later parts of the sweep request passes and report, and servers that do not
 * answer could use up all the time. The remaining clusters are left to the next sweep, which starts with others.
 */
const eachInTime = async <R>(
  { clock, log, began = clock.now() }: DriftDependencies,
  run: SweepRun,
  clusters: readonly PlacedCluster[],
  compare: (at: PlacedCluster) => Promise<R[]>,
): Promise<R[]> => {
  const end = Math.min(clock.now().getTime() + TIME_MILLISECONDS, began.getTime() + LATEST_MILLISECONDS);
  let left = 0;
  const compareInTime = (at: PlacedCluster): Promise<R[]> =>
    run.withServer(async () => {
      if (clock.now().getTime() < end) return compare(at);
      left += 1;
      return [];
    });
  const found = await run.each('compare its nodes', clusters, compareInTime, SERVERS_AT_ONCE);
  if (left > 0) log.warn('there was no time to look into some clusters; later sweeps do', { clusters: left });
  return found.flat();
};

/** A part of a fleet, and whether its cloud could not be read. */
interface NodesOf extends Pick<UnreadPart, 'provider' | 'machines'> {
  readonly clusters: readonly PlacedCluster[];
  readonly isUnread?: boolean;
}

/**
 * The clusters of a part of a fleet that need a pass because of their nodes. The queried clusters
 * (functions/drift/nodes/looks.ts) are returned if nodes were deleted or changed outside Windlass, if nodes or control
 * plane pods are in another state, if checks have a new result, if Services have changed, or if the cluster can no
 * longer be reached. Clusters that wait for nodes or for their API server are returned once they no longer wait. If the
 * cloud could not be read, no machine is replaced: its node may be gone because its instance is.
 */
export const nodeDrift = async (
  deps: DriftDependencies,
  { provider, clusters, machines, isUnread = false }: NodesOf,
  turn: ReadonlySet<string>,
  run: SweepRun,
  checks: Checks = new Map(),
): Promise<Cluster[]> => {
  const byCluster = Map.groupBy(machines, ({ cluster }) => cluster.metadata.uid);
  const machinesOf = ({ cluster }: PlacedCluster) => byCluster.get(cluster.metadata.uid) ?? [];
  const { clusters: looked, waiting, isHourly } = await looksOf(deps, clusters, machinesOf, { turn, run, checks });
  const lost: Cluster[] = [];
  const news: Cluster[] = [];
  const compare = async (at: PlacedCluster) => {
    const { cluster } = at;
    const all = machinesOf(at);
    const own = all.filter(({ machine }) => machine.status?.nodeRef);
    const { uid = '' } = cluster.metadata;
    // Without a control plane object, no pass would write down what their pods show.
    const isCompared = turn.has(uid) && !isStandalone(cluster);
    const controlPlane = isCompared ? own.map(({ machine }) => machine).filter(isControlPlaneMachine) : [];
    const seen = own.length > 0 || waiting.has(uid) ? await lookInto(deps, at, { controlPlane, isHourly }) : undefined;
    // The pass checks this itself, and records it.
    if (seen === 'lost' && hasAnswered(at)) lost.push(at.cluster);
    if (!seen || seen === 'lost') return [];
    const { nodes } = seen;
    const { namespace = '' } = cluster.metadata;
    const isBraked = run.isBraked(namespace);
    const facts = { cluster, checks: checksOf(checks, cluster), machines: all.map(({ machine }) => machine), isBraked };
    run.noteNodes(namespace, brokenNodes(facts.machines, nodes));
    if (isNews(deps, at, seen, { ...facts, seen: nodes })) news.push(cluster);
    const plans = await run.each('compare its node', own, (machine) =>
      planNodeDrift(machine, provider.instance(machine.infrastructure), nodes, deps.synced).map(
        (drift): DriftedMachine => ({ ...machine, drift }),
      ),
    );
    return plans
      .flat()
      .filter(({ drift }) => (isReplaced(drift) ? !(isBraked || isUnread) : isReported(cluster, drift)));
  };
  const drifts = await eachInTime(deps, run, looked, compare);
  const now = deps.clock.now();
  const replaced = drifts.filter(
    ({ machine, drift }) => isReplaced(drift) && withNotice(machine, replacement(drift, now)),
  );
  await run.pledge(replaced.map(({ cluster }) => cluster));
  const acted = await run.each('act on its node', drifts, async (drifted) =>
    (await actOn(deps, drifted)) ? [drifted.cluster] : [],
  );
  const all = [...lost, ...news, ...acted.flat()];
  return [...new Map(all.map((cluster) => [cluster.metadata.uid, cluster])).values()];
};
