import type { V1Node } from '@kubernetes/client-node';
import { distributionIn } from '../../shared/distributions/registry.ts';
import { recordEvent } from '../../shared/events/record.ts';
import type { Cluster, Machine } from '../../shared/kinds/index.ts';
import { balancesServices, routesPods } from '../../shared/kinds/rules/cloud-controller.ts';
import type { EtcdMembership } from '../../shared/plan/control-plane/etcd-view.ts';
import type { SystemPod } from '../../shared/plan/control-plane/system-pod.ts';
import { hasNodeNews } from '../../shared/plan/drift/node-news.ts';
import { type NodeDrift, planNodeDrift } from '../../shared/plan/drift/nodes.ts';
import { brokenNodes } from '../../shared/plan/drift/nodes-broken.ts';
import { withNotice } from '../../shared/plan/instance-events/notice.ts';
import { isControlPlaneMachine } from '../../shared/plan/labels.ts';
import { isSettled } from '../../shared/plan/machines/status.ts';
import { isRoutedOtherwise } from '../../shared/plan/routes/condition.ts';
import { isRoutesNews } from '../../shared/plan/routes/digest.ts';
import { isBalancedOtherwise } from '../../shared/plan/services/condition.ts';
import { isServicesNews } from '../../shared/plan/services/digest.ts';
import { isPaused } from '../../shared/plan/status/cluster-claims.ts';
import { findCondition, isTrue } from '../../shared/plan/status/conditions.ts';
import type { PlacedCluster } from '../../shared/providers/infrastructure.ts';
import { WorkloadRefusedError, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { readMembership } from '../cluster/etcd-members.ts';
import { readWorkloadTarget } from '../cluster/kubeconfig-secret.ts';
import { readControlPlane } from '../cluster/snapshot.ts';
import { giveNotice } from '../events/notice.ts';
import type { PlacedMachine } from '../providers/sweep-port.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';
import { type Checks, checksOf, isHealthDrift } from './health-drift.ts';
import { replacement } from './instance-differences.ts';
import type { SeenPart } from './observe.ts';
import type { SweepRun } from './run.ts';
import { isTurnOfSilent, turnOf } from './turns.ts';

/** Servers of this many clusters are queried at a time: each may return a list of the maximum size. */
const SERVERS_AT_ONCE = 5;

const wantsServices = (cluster: Cluster): boolean => balancesServices(cluster) && !isBalancedOtherwise(cluster);
const wantsRoutes = (cluster: Cluster): boolean => routesPods(cluster) && !isRoutedOtherwise(cluster);

interface Seen {
  nodes: V1Node[];
  /** Those of the control plane, if they are compared. */
  pods: SystemPod[] | undefined;
  /** What etcd reports; undefined if it was not queried or did not respond. */
  etcd: EtcdMembership | undefined;
  /** Whether no pass has completed the load balancers or routes that the cluster needs as it is now. */
  hasNewDuties: boolean;
}

/**
 * Undefined before the cluster has a kubeconfig; `lost` if no server answers. `controlPlane`: the machines whose pods and
 * members of etcd are wanted.
 */
const lookInto = async (
  { objects, connect, log }: DriftDependencies,
  { cluster, infrastructure }: PlacedCluster,
  controlPlane: readonly Machine[],
): Promise<Seen | 'lost' | undefined> => {
  const target = await readWorkloadTarget(objects, cluster);
  if (!target) return undefined;
  const client = (await connect())(target);
  try {
    const [nodes, pods, services] = await Promise.all([
      client.nodes(),
      controlPlane.length > 0 ? client.controlPlanePods() : undefined,
      wantsServices(cluster) ? client.services.list() : undefined,
    ]);
    const areServicesNew = services !== undefined && isServicesNews(infrastructure, services, nodes);
    const podBlocks = cluster.spec.clusterNetwork?.pods?.cidrBlocks ?? [];
    const areRoutesNew = wantsRoutes(cluster) && isRoutesNews(infrastructure, nodes, podBlocks);
    const etcd = pods && (await readMembership(client, await readControlPlane(objects, cluster), controlPlane, pods));
    return { nodes, pods, etcd, hasNewDuties: areServicesNew || areRoutesNew };
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError)) throw error;
    const { namespace, name } = cluster.metadata;
    log.info('the nodes of a cluster could not be read', { namespace, name, reason: error.message });
    return 'lost';
  } finally {
    await client.close();
  }
};

/** Whether a pass reads the nodes too, and so writes down what the sweep finds. */
const isProbed = (cluster: Cluster): boolean =>
  distributionIn(cluster, 'controlPlane', cluster.spec.controlPlaneRef) !== undefined;

const isReplaced = ({ kind, policy }: NodeDrift): boolean => kind === 'NodeDeleted' && policy === 'Repair';

type DriftedMachine = PlacedMachine & { drift: NodeDrift };

/** Reports the difference or applies the policy. True if the cluster needs a pass. */
const actOn = async (deps: DriftDependencies, { cluster, machine, drift }: DriftedMachine): Promise<boolean> => {
  const { kind, message } = drift;
  if (isReplaced(drift)) return giveNotice(deps, machine, replacement(drift, deps.clock.now()));
  // The pass writes it down, and then it is known.
  if (findCondition(machine.status?.conditions, 'NodeReady')?.reason === kind) return false;
  const happening = { regarding: machine, type: 'Warning', reason: kind, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
  return isProbed(cluster);
};

/** Nodes that no pass reads never get the labels of their Machines. */
const isReported = (cluster: Cluster, { kind }: NodeDrift): boolean => kind === 'NodeDeleted' || isProbed(cluster);

/** Whether a missing answer is a change: the pass checks itself, and records it. */
const isNewlyLost = ({ cluster }: PlacedCluster): boolean =>
  isTrue(cluster.status?.conditions, 'RemoteConnectionProbe');

/** Whether it is news that the server answers. */
const isNewlyReached = ({ cluster }: PlacedCluster): boolean =>
  findCondition(cluster.status?.conditions, 'RemoteConnectionProbe')?.status === 'False';

/** Whether a pass over the cluster would find something else than the last one. */
const isNews = (
  deps: DriftDependencies,
  at: PlacedCluster,
  { hasNewDuties, ...seen }: Seen,
  facts: Parameters<typeof isHealthDrift>[1],
): boolean => {
  if (hasNewDuties || !isProbed(at.cluster)) return hasNewDuties;
  return isNewlyReached(at) || hasNodeNews(facts.machines, seen) || isHealthDrift(deps, facts);
};

/** Whether a cluster waits for nodes of instances that it has, or for its API server, so that passes over it are rare. */
const isAwaited = ({ cluster }: PlacedCluster, machines: readonly PlacedMachine[], isTurn: boolean): boolean => {
  const open = machines.filter(({ machine }) => machine.spec.providerID && !isSettled(machine));
  return open.length > 0 && (isTurn || isTrue(cluster.status?.conditions, 'RemoteConnectionProbe'));
};

/**
 * The clusters of a part of a fleet, of those whose `turn` it is and of those that have health checks or whose Services or
 * nodes get load balancers or routes, in which nodes were deleted or changed outside Windlass, whose nodes or control
 * plane pods have another state, whose checks have a new result, whose Services have changed, or which cannot be reached
 * any more; and of those that wait for nodes or for their API server, in separate turns, the ones that no longer wait.
 */
export const nodeDrift = async (
  deps: DriftDependencies,
  { provider, clusters, machines }: Pick<SeenPart, 'provider' | 'clusters' | 'machines'>,
  turn: ReadonlySet<string>,
  run: SweepRun,
  checks: Checks = new Map(),
): Promise<Cluster[]> => {
  const byCluster = Map.groupBy(machines, ({ cluster }) => cluster.metadata.uid);
  const machinesOf = ({ cluster }: PlacedCluster) => byCluster.get(cluster.metadata.uid) ?? [];
  const isTurn = isTurnOfSilent(deps);
  const awaited = await run.each('see what it waits for', clusters, (at) =>
    isAwaited(at, machinesOf(at), isTurn) ? [at] : [],
  );
  const waiting = turnOf(awaited.flat(), deps);
  const isLookedAt = ({ metadata: { uid = '' } }: Cluster) => turn.has(uid) || waiting.has(uid);
  const looked = clusters.filter(
    ({ cluster }) =>
      (isLookedAt(cluster) || checksOf(checks, cluster).length > 0 || wantsServices(cluster) || wantsRoutes(cluster)) &&
      !cluster.metadata.deletionTimestamp &&
      !isPaused(cluster),
  );
  const lost: Cluster[] = [];
  const news: Cluster[] = [];
  const compare = async (at: PlacedCluster) => {
    const { cluster } = at;
    const all = machinesOf(at);
    const own = all.filter(({ machine }) => machine.status?.nodeRef);
    const { uid = '' } = cluster.metadata;
    const controlPlane = turn.has(uid) ? own.map(({ machine }) => machine).filter(isControlPlaneMachine) : [];
    const seen = own.length > 0 || waiting.has(uid) ? await lookInto(deps, at, controlPlane) : undefined;
    if (seen === 'lost' && isNewlyLost(at)) lost.push(at.cluster);
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
    return plans.flat().filter(({ drift }) => (isReplaced(drift) ? !isBraked : isReported(cluster, drift)));
  };
  const found = await run.each('compare its nodes', looked, compare, SERVERS_AT_ONCE);
  const drifts = found.flat();
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
