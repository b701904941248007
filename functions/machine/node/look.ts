import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../shared/decode/describe-error.ts';
import { distributionOf } from '../../../shared/distributions/registry.ts';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { Log } from '../../../shared/log.ts';
import { isStandalone } from '../../../shared/plan/control-plane/standalone.ts';
import type { SystemPod } from '../../../shared/plan/control-plane/system-pod.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { searchedObservation } from '../../../shared/plan/machines/awaited.ts';
import { findNode, type NodeObservation } from '../../../shared/plan/machines/node.ts';
import { nodePatch } from '../../../shared/plan/machines/node-metadata.ts';
import { isSettled, type MachineObservation, withObservation } from '../../../shared/plan/machines/status.ts';
import { isOverdue, restFrom, waitFrom } from '../../../shared/plan/machines/waiting.ts';
import { readInitializer } from '../../../shared/plan/memory/initializer.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import { requireWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { type Instances, initializeNode, instancesIn } from './initialize.ts';
import { recorder } from './reasons.ts';
import { keepToken } from './token.ts';

/**
 * After this time without a ready node, a machine is checked only in the cluster's passes, so that nothing is given up.
 */
const STARTUP_SECONDS = 20 * 60;
/** If a node has not joined after this time, an event informs the user. */
const SLOW_SECONDS = 5 * 60;

/** A machine that waits for its node, in the state in which it was read. */
export interface Awaited {
  ref: MachineRef;
  machine: Machine;
  /** Reads all its related objects; undefined if the machine is gone. Called only if a node may belong to it. */
  read: () => Promise<MachineSnapshot | undefined>;
}

/** The observed state of the workload cluster, which is used for all its machines. */
interface Seen {
  client: WorkloadClient;
  nodes: V1Node[];
  pods: SystemPod[];
  instances: Instances;
  log: Log;
}

/** The state of a machine after a check. */
export interface Look {
  /** The machine in its current state. */
  machine: Machine;
  /** `overdue`: executions do not wait for it any more. */
  state: 'settled' | 'waits' | 'overdue';
  waitSeconds: number;
  /** Whether the cluster needs a pass: for example because nodes are counted, or because add-ons waited for its API. */
  isNews: boolean;
}

/** The time until the next check of the machine, in addition to the seconds that a watch waits. */
const restOf = ({ metadata: { creationTimestamp } }: Machine, now: Date): number =>
  isOverdue(creationTimestamp, STARTUP_SECONDS, now) ? restFrom(creationTimestamp, now) : 0;

const unreachable = (why: string): MachineObservation => ({ node: { seen: 'unreachable', why } });

/**
 * An API server that refuses the requests of the search also counts as unreachable, so the machine is checked again.
 */
const unlessUnreachable = async <T>(work: () => Promise<T>): Promise<T | MachineObservation> => {
  try {
    return await work();
  } catch (error) {
    const isTheirs = error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError;
    if (!isTheirs) throw error;
    return unreachable(error.message);
  }
};

/**
 * Searches for the nodes of machines in one cluster, initializes them if no other program does, and synchronizes their
 * labels. While a node is missing, its machine's bootstrap token is kept valid. `judge` is called for each machine with
 * its observed state, which is undefined if the machine is gone. Returns the results, and all nodes of the cluster.
 */
export const lookAt = async <T>(
  deps: NodeDependencies,
  { cluster, machines, log }: { cluster: Cluster | null; machines: readonly Awaited[]; log: Log },
  judge: (machine: Awaited, ask: () => Promise<MachineObservation | undefined>) => Promise<T>,
): Promise<{ judged: T[]; nodes: readonly V1Node[] }> => {
  const all = (observe: (machine: Awaited) => Promise<MachineObservation | undefined>) =>
    Promise.all(machines.map((one) => judge(one, () => observe(one))));
  const target = await unlessUnreachable(() => requireWorkloadTarget(deps.objects, cluster));
  if (!('kubeconfig' in target)) return { judged: await all(async () => target), nodes: [] };
  const client = deps.connect(target);
  try {
    const instances = cluster ? instancesIn(deps, cluster) : async () => [];
    const seen = await unlessUnreachable(async () => ({ ...(await look(client, machines)), instances, log }));
    if (!('client' in seen)) return { judged: await all(async () => seen), nodes: [] };
    return { judged: await all((one) => unlessUnreachable(() => observe(deps, seen, one))), nodes: seen.nodes };
  } finally {
    await client.close();
  }
};

const look = async (
  client: WorkloadClient,
  machines: readonly Awaited[],
): Promise<Pick<Seen, 'client' | 'nodes' | 'pods'>> => {
  const isControlPlane = machines.some(({ machine }) => isControlPlaneMachine(machine));
  const [nodes, pods] = await Promise.all([client.nodes(), isControlPlane ? client.controlPlanePods() : []]);
  return { client, nodes, pods };
};

/** A node without a provider id is identified by its name, which requires more objects than the Machine. */
const mayBelongTo =
  ({ spec: { providerID } }: Machine) =>
  ({ spec }: V1Node): boolean =>
    !spec?.providerID || spec.providerID === providerID;

const observe = async (
  deps: NodeDependencies,
  seen: Seen,
  { ref, machine, read }: Awaited,
): Promise<MachineObservation | undefined> => {
  if (seen.nodes.some(mayBelongTo(machine))) {
    const snapshot = await read();
    if (!snapshot) return undefined;
    const found = await observeNode(deps, seen, snapshot);
    if (found) return found;
  }
  if (distributionOf('config', machine.spec.bootstrap.configRef)?.usesBootstrapTokens)
    await keepToken(deps, seen.client, ref, machine, restOf(machine, deps.clock.now()));
  return { node: { seen: 'absent', providerId: machine.spec.providerID } };
};

/** Undefined if the machine has no node. */
const observeNode = async (
  deps: NodeDependencies,
  { client, nodes: found, pods, instances, log }: Seen,
  snapshot: MachineSnapshot,
): Promise<MachineObservation | undefined> => {
  const { machine, distribution, config, infrastructureCluster, cluster } = snapshot;
  const nodes = (await initializeNode(deps, client, snapshot, found, instances)) ? await client.nodes() : found;
  const node = findNode(nodes, machine.spec.providerID);
  if (!node) return undefined;
  await syncNode(deps, { client, log }, snapshot, node);
  const observed: NodeObservation = { seen: 'node', node };
  // As in upstream, without a control plane object no pass would update the health of its components.
  if (!isControlPlaneMachine(machine) || !distribution || (cluster && isStandalone(cluster))) return { node: observed };
  const facts = { machine, config, initializer: readInitializer(infrastructureCluster?.object) };
  return { node: observed, health: distribution.health(node, pods, facts) };
};

/**
 * The passes over the cluster determine and report whether the machine is outdated. They also retry what the API server
 * refuses, for example because of a webhook, so the node still counts as found.
 */
const syncNode = async (
  { synced }: NodeDependencies,
  { client, log }: Pick<Seen, 'client' | 'log'>,
  { machine, infrastructureMachine }: MachineSnapshot,
  node: V1Node,
): Promise<void> => {
  const interruptible = infrastructureMachine?.facts.interruptible === true;
  const patch = nodePatch(machine, node, { interruptible, outdated: undefined, also: synced });
  const name = node.metadata?.name ?? '';
  try {
    if (patch) await client.patchNode(name, patch);
  } catch (error) {
    if (!(error instanceof WorkloadRefusedError)) throw error;
    log.warn('a node does not follow its machine', { node: name, ...describeError(error) });
  }
};

/** Records the observed state of a machine; undefined if it is gone. */
export const recordLook = async (
  deps: NodeDependencies,
  { machine }: Awaited,
  { observation, cluster }: { observation: MachineObservation; cluster: Cluster | null },
): Promise<Look | undefined> => {
  const now = deps.clock.now();
  const { node } = observation;
  const change = (current: Machine) =>
    withObservation(current, { ...observation, ...(node ? searchedObservation(current, cluster, node) : {}) }, now);
  const next = await deps.objects.mutate(kinds.machine, keyOf(machine), change, { from: machine });
  if (!next) return undefined;
  if (isSettled(next)) return { machine: next, state: 'settled', waitSeconds: 0, isNews: true };
  const isNews = isAwaitedNode(machine, next, cluster) || hasFirstAnswered(machine, next, observation);
  return { machine: next, ...(await waiting(deps, next)), isNews };
};

/**
 * Add-ons, such as a CNI plugin, wait for nodes that are not ready. An available cluster already has its add-ons,
 * so a pass would find nothing to do before the node is ready.
 */
const isAwaitedNode = (before: Machine, now: Machine, cluster: Cluster | null): boolean =>
  now.status?.nodeRef !== undefined &&
  before.status?.nodeRef === undefined &&
  !isTrue(cluster?.status?.conditions, 'Available');

const nodeMessage = ({ status }: Machine): string | undefined =>
  findCondition(status?.conditions, 'NodeReady')?.message;

/** Reported once for a cluster, by its control plane machines: otherwise, all workers would report the same. */
const hasFirstAnswered = (before: Machine, now: Machine, { node }: MachineObservation): boolean =>
  isControlPlaneMachine(before) && node?.seen === 'absent' && nodeMessage(before) !== nodeMessage(now);

/**
 * Records that a machine has waited for a long time, and where to look: only the console of its instance shows the
 * reason.
 */
const waiting = async (deps: NodeDependencies, machine: Machine): Promise<Pick<Look, 'state' | 'waitSeconds'>> => {
  const now = deps.clock.now();
  const since = machine.metadata.creationTimestamp;
  if (!machine.status?.nodeRef && isOverdue(since, SLOW_SECONDS, now)) {
    const instance = machine.spec.providerID?.split('/').at(-1);
    const message = `No Node has joined for instance ${instance}; its console output may show why: aws ec2 get-console-output --instance-id ${instance}`;
    await recorder(deps).warning(machine, 'NodeNotJoined', message);
  }
  const { waitSeconds } = waitFrom(since, now);
  return { state: isOverdue(since, STARTUP_SECONDS, now) ? 'overdue' : 'waits', waitSeconds };
};
