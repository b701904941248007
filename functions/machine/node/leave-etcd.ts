import type { Distribution, EtcdAccess } from '../../../shared/distributions/distribution.ts';
import { RefusedError } from '../../../shared/errors.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import type { HealthConditions } from '../../../shared/plan/control-plane/distribution-rules.ts';
import type { EtcdMember } from '../../../shared/plan/control-plane/etcd-view.ts';
import { type LeaveFacts, type LeaveStep, planLeave } from '../../../shared/plan/control-plane/leave-etcd.ts';
import { leavesEtcdSince, withLeavesEtcdSince } from '../../../shared/plan/control-plane/leaving-since.ts';
import { byAge } from '../../../shared/plan/control-plane/placement.ts';
import { serversWithout } from '../../../shared/plan/control-plane/servers.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { copiesIn } from '../../../shared/plan/machines/copies.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { DONE, isOverdue, waitFrom } from '../../../shared/plan/machines/waiting.ts';
import type { MachineInput, MachineRef, ProgressResult } from '../../../shared/work/payloads.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { type EtcdCluster, etcdCluster } from '../../cluster/etcd-cluster.ts';
import { configsFor } from '../../cluster/etcd-configs.ts';
import { requireWorkloadTarget } from '../../cluster/kubeconfig-secret.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import { type MachineSnapshot, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { preTerminateStage } from './drain/drain-node.ts';
import { type Look, writeStage } from './drain/look.ts';
import { isHeld, park } from './held.ts';
import { recorder } from './reasons.ts';

const LEASE_SECONDS = 120;
/**
 * Only the leader's own pod can move the leadership. If its node is gone or its kubelet does not respond, that will
 * never succeed: after this time, the member is removed while it leads, and etcd elects another leader.
 */
const LEADER_PATIENCE_SECONDS = 60;
/**
 * After this time, the execution ends; the cluster's passes start another, and the reason stays visible. Both times are
 * counted from the first wait of this step, because users' hooks before it may take hours.
 */
const PATIENCE_SECONDS = 10 * 60;

/**
 * The name with which etcd identifies the machine: that of its node, or as long as it has none, the host name that the
 * node would have.
 */
const nodeNameOf = ({ status }: Machine): string | undefined =>
  status?.nodeRef?.name ?? status?.addresses?.find(({ type }) => type === 'InternalDNS')?.address;

interface Leaving {
  facts: LeaveFacts;
  /** The nodes whose etcd may be queried, in the order in which they are tried. */
  queried: readonly string[];
  /** The machines of the control plane, including the leaving one. */
  machines: readonly Machine[];
}

const nodesOf = (machines: readonly Machine[]): string[] =>
  machines.flatMap(({ status }) => status?.nodeRef?.name ?? []);

const addressesOf = ({ status }: Machine): string[] => (status?.addresses ?? []).map(({ address }) => address);

/**
 * The data about all machines of the control plane; undefined for a copy of a machine, which has no member of its own.
 */
const leavingOf = async (
  { objects }: NodeDependencies,
  { machine }: MachineSnapshot,
  node: string,
  health: HealthConditions,
): Promise<Leaving | undefined> => {
  const { namespace = '' } = machine.metadata;
  const machines = await objects.listOfCluster(kinds.machine, namespace, machine.spec.clusterName);
  if (copiesIn(machines).has(machine.metadata.uid ?? '')) return undefined;
  const others = machines.filter(
    (other) => other.metadata.uid !== machine.metadata.uid && isControlPlaneMachine(other),
  );
  const nodes = others.map(({ status }) => status?.nodeRef?.name);
  // Newest first: the leadership moves to the machine that will exist longest.
  const { staying = [], going = [] } = Object.groupBy(others.sort(byAge).reverse(), ({ metadata }) =>
    metadata.deletionTimestamp ? 'going' : 'staying',
  );
  const successors = nodesOf(staying);
  return {
    facts: {
      leaving: { node, addresses: addressesOf(machine) },
      successors,
      elsewhere: others.flatMap(addressesOf),
      nodes: nodes.every((name) => name !== undefined) ? [node, ...nodes] : undefined,
      servers: nodesOf(serversWithout(machine, others, health)),
    },
    // The machine itself comes last, because it may be the one that does not answer.
    queried: [...successors, ...nodesOf(going), node],
    machines: [...others, machine],
  };
};

/** The etcd cluster that a machine must leave. */
interface Left {
  access: EtcdAccess;
  distribution: Distribution;
  /** The conditions of the machines with members. */
  health: HealthConditions;
}

/** Undefined if the machine has no etcd cluster to leave. */
const etcdOf = async (deps: NodeDependencies, snapshot: MachineSnapshot): Promise<Left | undefined> => {
  const { machine, cluster } = snapshot;
  if (!cluster || cluster.metadata.deletionTimestamp || !isControlPlaneMachine(machine)) return undefined;
  const { controlPlane, distribution } = await readControlPlane(deps.objects, cluster);
  if (!controlPlane || controlPlane.metadata.deletionTimestamp) return undefined;
  const access = distribution?.etcd?.(controlPlane);
  const formed = controlPlane.status?.initialization?.controlPlaneInitialized === true;
  if (!access || !distribution || !formed) return undefined;
  return { access, distribution, health: distribution.healthConditions(controlPlane) };
};

/**
 * Carries out one action, planned from etcd's current state; undefined if nothing is left to do, otherwise the reason
 * to wait.
 */
const leave = async (
  deps: NodeDependencies,
  machine: Machine,
  etcd: EtcdCluster,
  facts: LeaveFacts,
): Promise<string | undefined> => {
  const { normal } = recorder(deps);
  const leaving = facts.leaving.node;
  const step = planLeave(await etcd.view(), facts);
  switch (step.do) {
    case 'nothing':
      return undefined;
    case 'wait':
      return `etcd member ${leaving} stays: ${step.why}`;
    case 'move-leader':
      if (!(await moveLeader(deps, machine, etcd, step))) return remove(deps, machine, etcd, step.member, leaving);
      await normal(machine, 'EtcdLeaderMoved', `Moved the leader of etcd from ${leaving} to ${step.to.name}`);
      return `etcd member ${leaving} is to be removed`;
    case 'remove-stray': {
      const stray = step.member.name || step.member.id;
      await etcd.remove(step.member.id);
      await normal(machine, 'EtcdMemberRemoved', `Removed member ${stray}, which has no machine, from etcd`);
      return `etcd member ${leaving} is to be removed`;
    }
    case 'remove':
      return remove(deps, machine, etcd, step.member, leaving);
  }
};

const remove = async (
  deps: NodeDependencies,
  machine: Machine,
  etcd: EtcdCluster,
  { id }: EtcdMember,
  leaving: string,
): Promise<undefined> => {
  await etcd.remove(id);
  await recorder(deps).normal(machine, 'EtcdMemberRemoved', `Removed member ${leaving} from etcd`);
};

/** False if the machine has waited long enough for its own pod, which must move the leadership. */
const moveLeader = async (
  { clock }: NodeDependencies,
  machine: Machine,
  etcd: EtcdCluster,
  { member, to }: Extract<LeaveStep, { do: 'move-leader' }>,
): Promise<boolean> => {
  try {
    await etcd.moveLeader(member.name, to.id);
    return true;
  } catch (error) {
    const isLate = isOverdue(leavesEtcdSince(machine), LEADER_PATIENCE_SECONDS, clock.now());
    if (error instanceof WorkloadUnreachableError && isLate) return false;
    throw error;
  }
};

/** Like `leave`; also waits for members that cannot be queried. */
const leaveByWorkload = async (
  deps: NodeDependencies,
  { machine, cluster }: MachineSnapshot,
  { access, distribution }: Left,
  { facts, queried, machines }: Leaving,
): Promise<string | undefined> => {
  let client: WorkloadClient | undefined;
  try {
    client = deps.connect(await requireWorkloadTarget(deps.objects, cluster));
    const configOf = configsFor(deps.objects, access, distribution, machines);
    const etcd = etcdCluster({ access, run: client.execute, configOf }, queried);
    return await leave(deps, machine, etcd, facts);
  } catch (error) {
    if (error instanceof WorkloadUnreachableError) return error.message;
    throw error;
  } finally {
    await client?.close();
  }
};

/** Reports what the machine waits for; ends the execution after a long wait. */
const wait = async (
  deps: NodeDependencies,
  ref: MachineRef,
  machine: Machine,
  why: string,
): Promise<ProgressResult> => {
  const { objects, clock } = deps;
  const key = { namespace: machine.metadata.namespace ?? '', name: machine.metadata.name };
  const deleting = { type: 'Deleting', status: 'True', reason: 'WaitingForPreTerminateHook', message: why } as const;
  const now = formatTime(clock.now());
  const since = leavesEtcdSince(machine) ?? now;
  await writeStage(deps, { ref, machine, reason: deleting.reason }, () =>
    objects.mutate(kinds.machine, key, (current) => {
      const deletion = { waitForPreTerminateHookStartTime: now, ...current.status?.deletion };
      const waiting = withLeavesEtcdSince({ ...current, status: { ...current.status, deletion } }, since);
      return withObservation(waiting, { deleting }, clock.now());
    }),
  );
  if (isOverdue(since, PATIENCE_SECONDS, clock.now())) throw new RefusedError(why);
  return waitFrom(since, clock.now());
};

/**
 * Removes the machine's member from etcd before its instance is terminated: moves the leadership away from it, and then
 * removes it. Each happens only while the remaining members have a quorum and another machine serves the cluster, which
 * is checked immediately before. Reports what it waits for. As in upstream, nothing is done if the cluster or its
 * control plane is deleted. While the cluster or the machine is paused, or has a pre-terminate hook, the removal ends
 * here, and a pass starts it again.
 */
export const leaveEtcd =
  (deps: NodeDependencies) =>
  async (input: MachineInput): Promise<ProgressResult> => {
    const { machine: ref, holder } = input;
    const snapshot = await readMachine(deps.objects, ref);
    if (!snapshot) return DONE;
    if (isHeld(snapshot)) return park(deps, input, snapshot.machine);
    // A user may add one while the machine waits to leave etcd.
    const look: Look = { deps, input, snapshot, machine: snapshot.machine };
    if (await preTerminateStage(look)) return park(deps, input, look.machine);
    const left = await etcdOf(deps, snapshot);
    const node = nodeNameOf(snapshot.machine);
    if (!left || !node) return DONE;
    await deps.work.extendMachine(ref, holder, LEASE_SECONDS);
    const leaving = await leavingOf(deps, snapshot, node, left.health);
    if (!leaving) return DONE;
    const why = await leaveByWorkload(deps, snapshot, left, leaving);
    return why === undefined ? DONE : wait(deps, ref, snapshot.machine, why);
  };
