import { isEmptySelector, selects } from '../../../../../shared/kinds/rules/kubernetes/label-selector.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import { withConditions } from '../../../../../shared/plan/status/conditions.ts';
import { podDisruptionBudget } from '../kinds.ts';
import type { Pod } from '../objects.ts';
import { type Budget, controllerUid, isPodReady } from '../workloads.ts';
import type { Workloads } from './workloads.ts';

/** After this time, an evicted pod that still exists counts as healthy again. */
const DISRUPTED_MILLISECONDS = 2 * 60_000;

/** The number of pods that the controllers of these pods should keep; undefined if one of them does not specify it. */
const expectedScale = (pods: readonly Pod[], { sets, deployments }: Workloads): number | undefined => {
  const counts = new Map<string, number | undefined>();
  for (const uid of new Set(pods.flatMap((one) => controllerUid(one) ?? []))) {
    const set = sets.find(({ metadata }) => metadata.uid === uid);
    const owner = set && deployments.find(({ metadata }) => metadata.uid === controllerUid(set));
    counts.set(owner?.metadata.uid ?? uid, set && ((owner ?? set).spec.replicas ?? 1));
  }
  return [...counts.values()].reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
};

/** Percentages of both bounds are rounded up. */
const scaled = (value: number | string, total: number): number =>
  typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);

interface Bounds {
  expected: number;
  desired: number;
}

const boundsOf = ({ spec }: Budget, pods: readonly Pod[], workloads: Workloads): Bounds | undefined => {
  if (typeof spec.minAvailable === 'number') return { expected: pods.length, desired: spec.minAvailable };
  const expected = expectedScale(pods, workloads);
  if (expected === undefined) return undefined;
  if (spec.minAvailable !== undefined) return { expected, desired: scaled(spec.minAvailable, expected) };
  return { expected, desired: Math.max(0, expected - scaled(spec.maxUnavailable ?? 0, expected)) };
};

const stillDisrupted = ({ status }: Budget, pods: readonly Pod[], now: Date): Record<string, string> =>
  Object.fromEntries(
    Object.entries(status?.disruptedPods ?? {}).filter(([name, since]) => {
      const found = pods.find(({ metadata }) => metadata.name === name);
      return found && !found.metadata.deletionTimestamp && now.getTime() - Date.parse(since) < DISRUPTED_MILLISECONDS;
    }),
  );

/** The status of a budget, as computed by the disruption controller (pkg/controller/disruption/disruption.go). */
const budgetStatus = (budget: Budget, workloads: Workloads, now: Date): NonNullable<Budget['status']> => {
  const { selector } = budget.spec;
  const { generation, namespace } = budget.metadata;
  const pods = workloads.pods.filter(
    ({ metadata }) =>
      metadata.namespace === namespace && selector && (isEmptySelector(selector) || selects(selector, metadata.labels)),
  );
  const disruptedPods = stillDisrupted(budget, pods, now);
  const healthy = pods.filter(
    (one) => isPodReady(one) && !one.metadata.deletionTimestamp && !(one.metadata.name in disruptedPods),
  ).length;
  const bounds = boundsOf(budget, pods, workloads);
  const { expected, desired } = bounds ?? { expected: 0, desired: 0 };
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  const claim = bounds
    ? { reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods', message: '' }
    : { reason: 'SyncFailed', message: 'a controller of the pods has no scale' };
  const type = 'DisruptionAllowed';
  const conditions = withConditions(
    budget.status?.conditions,
    [{ type, status: allowed > 0 ? 'True' : 'False', ...claim }],
    generation,
    now,
  );
  return {
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    observedGeneration: generation,
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    conditions,
  };
};

/** One run of the disruption controller over all budgets. */
export const reconcileBudgets = async (objects: ObjectClient, workloads: Workloads, now: Date): Promise<void> => {
  for (const { metadata } of await objects.list<Budget>(podDisruptionBudget)) {
    await objects.mutate<Budget>(
      podDisruptionBudget,
      { namespace: metadata.namespace ?? '', name: metadata.name },
      (current) => ({ ...current, status: budgetStatus(current, workloads, now) }),
    );
  }
};
