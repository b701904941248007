import type { V1Node } from '@kubernetes/client-node';
import type { Cluster, Machine, MachineHealthCheck } from '../../kinds/index.ts';
import { formatDuration } from '../../kinds/rules/duration.ts';
import { ANNOTATION, isControlPlaneMachine } from '../labels.ts';
import { type ConditionClaim, findCondition, isTrue } from '../status/conditions.ts';
import { type Findings, findUnhealthy, timeout } from './conditions.ts';

/** The nodes from a complete response; undefined if no server could be queried yet. */
export type KnownNodes = ReadonlyMap<string, V1Node> | undefined;

export interface VerdictFacts {
  cluster: Cluster;
  check: MachineHealthCheck;
  machine: Machine;
  /** Undefined before the control plane is initialized, because no machine can have a node then. */
  nodes: KnownNodes;
  /** The machine that runs or will run the initialization; undefined if unknown. */
  initMachine: string | undefined;
  now: Date;
}

/**
 * `pending`: neither healthy nor unhealthy; the machine may become unhealthy at `next`, in milliseconds since 1970. A
 * `healthy` machine has a `next` if its instance is lost, which its node does not show yet.
 */
export type Verdict =
  | { is: 'healthy'; next?: number }
  | { is: 'unhealthy'; claim: ConditionClaim }
  | { is: 'pending'; next?: number };

const TYPE = 'HealthCheckSucceeded';
const DEFAULT_STARTUP_SECONDS = 600;

/**
 * Within this time after its instance is lost, a node is no longer Ready: `--node-monitor-grace-period` of
 * kube-controller-manager is 50 seconds (40 before Kubernetes 1.32), and it checks every five seconds.
 */
const NODE_GRACE_MILLISECONDS = 60_000;

const failing = (reason: string, message: string): Verdict => ({
  is: 'unhealthy',
  claim: { type: TYPE, status: 'False', reason, message },
});

const sinceTrue = ({ status }: Cluster | Machine, type: string): number[] => {
  const found = findCondition(status?.conditions, type);
  return found?.status === 'True' ? [Date.parse(found.lastTransitionTime)] : [];
};

/** A machine's time starts when the last of its requirements is fulfilled. */
const startupSince = ({ cluster, machine }: VerdictFacts): number =>
  Math.max(
    Date.parse(machine.metadata.creationTimestamp ?? ''),
    ...sinceTrue(cluster, 'ControlPlaneInitialized'),
    ...sinceTrue(cluster, 'InfrastructureReady'),
    ...sinceTrue(machine, 'InfrastructureReady'),
  );

const startup = (facts: VerdictFacts): Findings & { reason?: string } => {
  const seconds = facts.check.spec.checks?.nodeStartupTimeoutSeconds ?? DEFAULT_STARTUP_SECONDS;
  if (seconds === 0) return { problems: [], next: [] };
  const { over, at } = timeout(startupSince(facts), seconds, facts.now);
  if (!over) return { problems: [], next: [at] };
  const problem = `Node failed to report startup in ${formatDuration(seconds)}`;
  return { reason: 'NodeStartupTimeout', problems: [problem], next: [] };
};

const nodeChecks = (facts: VerdictFacts, node: V1Node | undefined): Findings & { reason?: string } => {
  const { machine, nodes, check, now } = facts;
  const name = machine.status?.nodeRef?.name;
  if (name && nodes && !node) {
    return { reason: 'NodeDeleted', problems: [`Node ${name} has been deleted`], next: [] };
  }
  // A node that could not be observed yet is neither missing nor late.
  if (!node) return name ? { problems: [], next: [] } : startup(facts);
  const found = findUnhealthy(
    'Node',
    check.spec.checks?.unhealthyNodeConditions ?? [],
    node.status?.conditions ?? [],
    now,
  );
  return { reason: 'UnhealthyNode', ...found };
};

/**
 * Before the control plane is initialized, only the initializing machine can be unhealthy. All others wait for it,
 * because the machines of a control plane start together.
 */
const isExcused = ({ cluster, machine, initMachine }: VerdictFacts): boolean => {
  if (!isTrue(cluster.status?.conditions, 'InfrastructureReady')) return true;
  if (isTrue(cluster.status?.conditions, 'ControlPlaneInitialized')) return false;
  if (!isControlPlaneMachine(machine)) return true;
  return initMachine !== undefined && initMachine !== machine.metadata.name;
};

/**
 * When the node of a machine will show that its instance is lost; undefined if it is not lost, or has been lost for too
 * long.
 */
const lossShownAt = ({ machine, now }: VerdictFacts): number | undefined => {
  const ready = findCondition(machine.status?.conditions, 'InfrastructureReady');
  if (ready?.status !== 'False') return undefined;
  const at = Date.parse(ready.lastTransitionTime) + NODE_GRACE_MILLISECONDS;
  return at > now.getTime() ? at : undefined;
};

/** The state of one machine, with the order and messages of Cluster API's machinehealthcheck_targets.go. */
export const verdictOn = (facts: VerdictFacts): Verdict => {
  const { machine, nodes, check, now } = facts;
  if (ANNOTATION.remediateMachine in (machine.metadata.annotations ?? {})) {
    const message = `Health check failed: marked for remediation via ${ANNOTATION.remediateMachine} annotation`;
    return failing('HasRemediateAnnotation', message);
  }
  const node = nodes?.get(machine.status?.nodeRef?.name ?? '');
  const settled = (next?: number): Verdict => {
    if (next !== undefined) return { is: 'pending', next };
    if (!node || machine.metadata.deletionTimestamp) return { is: 'pending' };
    const shownAt = lossShownAt(facts);
    return shownAt === undefined ? { is: 'healthy' } : { is: 'healthy', next: shownAt };
  };
  if (isExcused(facts)) return settled();
  const conditions = machine.status?.conditions ?? [];
  const ofMachine = findUnhealthy('Machine', check.spec.checks?.unhealthyMachineConditions ?? [], conditions, now);
  const ofNode = nodeChecks(facts, node);
  const problems = [...ofMachine.problems, ...ofNode.problems];
  if (problems.length === 0) {
    const next = [...ofMachine.next, ...ofNode.next];
    return settled(next.length > 0 ? Math.min(...next) : undefined);
  }
  const reason = ofMachine.problems.length > 0 ? 'UnhealthyMachine' : (ofNode.reason ?? 'UnhealthyNode');
  return failing(reason, ['Health check failed:', ...problems.map((line) => `  * ${line}`)].join('\n'));
};
