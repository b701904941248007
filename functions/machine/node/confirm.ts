import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { findNode, type NodeObservation } from '../../../shared/plan/machines/node.ts';
import { nodePatch } from '../../../shared/plan/machines/node-metadata.ts';
import { isSettled, type MachineObservation, withObservation } from '../../../shared/plan/machines/status.ts';
import { DONE, FAILED, isOverdue, waitFrom } from '../../../shared/plan/machines/waiting.ts';
import { readInitializer } from '../../../shared/plan/memory/initializer.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { MachineInput, MachineRef, ProgressResult } from '../../../shared/work/payloads.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { readWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import { clusterOf, type MachineSnapshot, machineKey, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { initializeNode } from './initialize.ts';
import { recorder } from './reasons.ts';
import { keepToken } from './token.ts';

const LEASE_SECONDS = 120;
/** After this long without a node the execution ends; the cluster's passes start another, so nothing is given up. */
const STARTUP_SECONDS = 20 * 60;
/** A node that is not there after this long is worth a word to the user. */
const SLOW_SECONDS = 5 * 60;

/** While a machine is expected any moment, an invocation looks twice: a workflow cannot wait for less than a second. */
const SECOND_LOOK_MILLISECONDS = 500;

/**
 * Looks for the machine's node in the workload cluster, initializes it where nobody else does, syncs its labels, and says
 * whether it is ready. While the node is not there its bootstrap token is kept alive.
 */
export const confirmNode =
  (deps: NodeDependencies) =>
  async (input: MachineInput): Promise<ProgressResult> => {
    const first = await lookOnce(deps, input);
    if (first.progress !== 'wait' || first.waitSeconds > 1) return first;
    await deps.clock.sleep(SECOND_LOOK_MILLISECONDS);
    return lookOnce(deps, input);
  };

const lookOnce = async (deps: NodeDependencies, { machine: ref, holder }: MachineInput): Promise<ProgressResult> => {
  const { objects, work, clock } = deps;
  const snapshot = await readMachine(objects, ref);
  if (!snapshot?.infrastructureMachine || snapshot.machine.metadata.deletionTimestamp) return FAILED;
  if (!(await work.extendMachine(ref, holder, LEASE_SECONDS))) return FAILED;
  const { machine } = snapshot;
  const observation = await look(deps, ref, snapshot);
  const next = await objects.mutate(kinds.machine, machineKey(ref), (current) =>
    withObservation(current, observation, clock.now()),
  );
  if (!next) return FAILED;
  if (isSettled(next)) return DONE;
  // The cluster counts its nodes and learns that its API answers: add-ons wait for it, and nodes may wait for add-ons.
  const isNews = (next.status?.nodeRef && !machine.status?.nodeRef) || hasFirstAnswered(machine, observation);
  if (isNews) await deps.touch(clusterOf(ref));
  return waiting(deps, next);
};

/** Told once for a cluster, by its control plane machines: workers would all say the same. */
const hasFirstAnswered = (machine: Machine, { node }: MachineObservation): boolean =>
  isControlPlaneMachine(machine) &&
  node?.seen === 'absent' &&
  findCondition(machine.status?.conditions, 'NodeReady')?.reason !== 'NodeDoesNotExist';

const look = async (
  deps: NodeDependencies,
  ref: MachineRef,
  snapshot: MachineSnapshot,
): Promise<MachineObservation> => {
  const target = snapshot.cluster && (await readWorkloadTarget(deps.objects, snapshot.cluster));
  if (!target) return { node: { seen: 'unreachable', why: 'the kubeconfig Secret does not exist yet' } };
  const client = deps.connect(target);
  try {
    return await lookWith(deps, client, ref, snapshot);
  } catch (error) {
    if (!(error instanceof WorkloadUnreachableError)) throw error;
    return { node: { seen: 'unreachable', why: error.message } };
  } finally {
    await client.close();
  }
};

const lookWith = async (
  deps: NodeDependencies,
  client: WorkloadClient,
  ref: MachineRef,
  snapshot: MachineSnapshot,
): Promise<MachineObservation> => {
  const { machine, distribution, config, infrastructureCluster } = snapshot;
  const isControlPlane = isControlPlaneMachine(machine);
  const none: V1Pod[] = [];
  const [found, pods] = await Promise.all([client.nodes(), isControlPlane ? client.controlPlanePods() : none]);
  const nodes = (await initializeNode(deps, client, snapshot, found)) ? await client.nodes() : found;
  const node = findNode(nodes, machine.spec.providerID);
  if (!node) {
    if (distribution?.usesBootstrapTokens) await keepToken(deps, client, ref, machine);
    return { node: { seen: 'absent', providerId: machine.spec.providerID } };
  }
  await syncNode(deps, client, snapshot, node);
  const observed: NodeObservation = { seen: 'node', node };
  if (!isControlPlane || !distribution) return { node: observed };
  const facts = { machine, config, initializer: readInitializer(infrastructureCluster?.object) };
  return { node: observed, health: distribution.health(node, pods, facts) };
};

/** Whether the machine is outdated is seen, and said, by the passes over its cluster. */
const syncNode = async (
  { synced }: NodeDependencies,
  client: WorkloadClient,
  { machine, infrastructureMachine }: MachineSnapshot,
  node: V1Node,
): Promise<void> => {
  const interruptible = infrastructureMachine?.facts.interruptible === true;
  const patch = nodePatch(machine, node, { interruptible, outdated: undefined, also: synced });
  if (patch) await client.patchNode(node.metadata?.name ?? '', patch);
};

/** Records that a machine waits long and where to look: only the console of its instance shows the reason. */
const waiting = async (deps: NodeDependencies, machine: Machine): Promise<ProgressResult> => {
  const now = deps.clock.now();
  const since = machine.metadata.creationTimestamp;
  if (!machine.status?.nodeRef && isOverdue(since, SLOW_SECONDS, now)) {
    const instance = machine.spec.providerID?.split('/').at(-1);
    const message = `No Node has joined for instance ${instance}; its console says why: aws ec2 get-console-output --instance-id ${instance}`;
    await recorder(deps).warning(machine, 'NodeNotJoined', message);
  }
  if (isOverdue(since, STARTUP_SECONDS, now)) return FAILED;
  return waitFrom(since, now);
};
