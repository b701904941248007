/**
 * The results of health checks for machines whose nodes were just read. The pass writes them; the sweep requests a pass
 * if they have changed. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { V1Node } from '@kubernetes/client-node';
import type { Cluster, Machine, MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { type Remedy, withVerdict } from '../../../shared/plan/health/machine.ts';
import { type HealthPlan, planHealth } from '../../../shared/plan/health/plan.ts';
import { withHealth } from '../../../shared/plan/health/status.ts';
import type { KnownNodes, Verdict } from '../../../shared/plan/health/verdict.ts';
import { findCondition, isTrue } from '../../../shared/plan/status/conditions.ts';

/** The facts from which the health of a cluster is evaluated. */
export interface Seen {
  cluster: Cluster;
  /** The checks that are not paused. */
  checks: readonly MachineHealthCheck[];
  /** All machines of the cluster. */
  machines: readonly Machine[];
  /** All nodes of the workload cluster, undefined if its API server did not answer. */
  seen: readonly V1Node[] | undefined;
  initMachine: string | undefined;
  /** The fleet brake applies to the cluster's namespace. */
  isBraked?: boolean;
  now: Date;
}

export interface Judged {
  check: MachineHealthCheck;
  plan: HealthPlan;
}

const WAITING = {
  type: 'ExternallyRemediated',
  status: 'False',
  reason: 'WaitingForRemediation',
  message: '',
} as const;

/**
 * The remedy of a check with `spec.remediation.templateRef`: the machine's owner does nothing, as upstream specifies.
 * An existing condition is kept, so that it counts as a change only once.
 */
const externalRemedy = ({ status }: Machine): Remedy => ({
  by: 'other',
  claim: findCondition(status?.conditions, WAITING.type) ?? WAITING,
});

/**
 * A running API server has at least one node, its own. An answer without nodes is ignored, because it would mean that
 * all nodes were deleted.
 */
const knownNodes = (
  { status }: Cluster,
  seen: readonly V1Node[] | undefined,
): { complete: false } | { complete: true; nodes: KnownNodes } => {
  if (!isTrue(status?.conditions, 'ControlPlaneInitialized')) return { complete: true, nodes: undefined };
  if (!seen || seen.length === 0) return { complete: false };
  return { complete: true, nodes: new Map(seen.map((node) => [node.metadata?.name ?? '', node])) };
};

/** The result of each check; undefined if the API server did not answer, because nothing is evaluated then. */
export const judgeHealth = ({ checks, seen, ...facts }: Seen): Judged[] | undefined => {
  const known = knownNodes(facts.cluster, seen);
  if (!known.complete) return undefined;
  return checks.map((check) => ({ check, plan: planHealth({ ...facts, nodes: known.nodes, check }) }));
};

interface Found {
  verdict: Verdict;
  remedy: Remedy;
  check: MachineHealthCheck;
}

/** The combined result of the checks that target a machine: a single unhealthy result outweighs the others. */
export const verdictsOf = (machine: Machine, judged: readonly Judged[]): Found | undefined => {
  const found = judged.flatMap(({ check, plan }) =>
    plan.targets
      .filter((target) => target.machine === machine)
      .map(({ verdict }) => ({ check, verdict, remedy: remedyOf(machine, check, plan) })),
  );
  const having = (is: Verdict['is']) => found.find(({ verdict }) => verdict.is === is);
  return having('unhealthy') ?? having('pending') ?? having('healthy');
};

const remedyOf = (machine: Machine, check: MachineHealthCheck, { trigger }: HealthPlan): Remedy => {
  if (!trigger.allowed) return { by: 'nobody' };
  return check.spec.remediation?.templateRef ? externalRemedy(machine) : { by: 'owner' };
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The value as it would be stored: undefined and empty members are omitted. */
const stored = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== undefined && !isEmpty(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, stored(member)]));
};

const isSame = (next: object, current: object): boolean => isDeepStrictEqual(stored(next), stored(current));

const isNewsOf = (machine: Machine, judged: readonly Judged[], now: Date): boolean => {
  const found = verdictsOf(machine, judged);
  if (!found || found.verdict.is === 'pending') return false;
  return !isSame(withVerdict(machine, found.verdict, found.remedy, now) ?? machine, machine);
};

/** Whether a pass would write anything: a verdict, a counter or the next deadline has changed. */
export const isHealthNews = (
  judged: readonly Judged[],
  { cluster, machines, now }: Omit<Seen, 'seen' | 'checks'>,
): boolean =>
  judged.some(({ check, plan }) => !isSame(withHealth(cluster, check, plan, now), check)) ||
  machines.some((machine) => isNewsOf(machine, judged, now));
