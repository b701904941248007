import { isEmptySelector, selects } from '../../../../shared/kinds/rules/kubernetes/label-selector.ts';
import { isObject, type JsonObject } from '../../../../shared/kube-api/json.ts';
import { formatTime, type ObjectMeta } from '../../../../shared/kube-api/object.ts';
import type { Registry } from '../../../../shared/kube-api/registry/registry.ts';
import type { ActionRequest } from '../../../../shared/kube-api/resource.ts';
import { badRequest, forbidden, type Status, StatusError } from '../../../../shared/kube-api/status-error.ts';
import { PERSISTENT_ATTEMPTS } from '../../../../shared/kube-api/storage/retry.ts';
import { pod, podDisruptionBudget } from './kinds.ts';
import type { Pod } from './objects.ts';
import { type Budget, isPodReady } from './workloads.ts';

/** The subresource `eviction` of pods, as in pkg/registry/core/pod/storage/eviction.go. */

const SUCCESS: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
const MOST_DISRUPTED = 2000;

const tooMany = (message: string, retryAfterSeconds?: number): StatusError =>
  new StatusError(429, 'TooManyRequests', REFUSAL, {
    causes: [{ reason: 'DisruptionBudget', message } as never],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** A pod that has finished, has not started or is being deleted can be removed without a disruption. */
const needsNoBudget = (found: Pod): boolean =>
  found.metadata.deletionTimestamp !== undefined || isOver(found) || (found.status?.phase ?? 'Pending') === 'Pending';

const budgetsOf = async (registry: Registry, { metadata }: Pod): Promise<Budget[]> => {
  const { items } = await registry.list(podDisruptionBudget, { namespace: metadata.namespace });
  return (items as Budget[]).filter(
    ({ spec: { selector } }) => selector && (isEmptySelector(selector) || selects(selector, metadata.labels)),
  );
};

/** The reason why no other pod of the budget may be evicted. */
const refusal = ({ metadata: { name, generation = 0 }, status }: Budget): StatusError | undefined => {
  if ((status?.observedGeneration ?? 0) < generation || !status) {
    return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (Object.keys(status.disruptedPods ?? {}).length > MOST_DISRUPTED) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    return forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, name, why);
  }
  if (status.disruptionsAllowed > 0) return undefined;
  const failed = status.conditions?.find(({ type, reason }) => type === 'DisruptionAllowed' && reason === 'SyncFailed');
  if (failed) {
    return tooMany(
      `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`,
    );
  }
  const { desiredHealthy, currentHealthy } = status;
  return tooMany(
    currentHealthy <= desiredHealthy
      ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
      : `The disruption budget ${name} does not allow evicting pods currently`,
  );
};

/** Uses one disruption of the budget. Throws a StatusError if there is none left. */
const spend = async (
  { registry, dryRun, now }: ActionRequest<Registry>,
  { metadata }: Budget,
  podName: string,
): Promise<void> => {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  const change = (current: Budget): Budget => {
    const refused = refusal(current);
    if (refused) throw refused;
    const status = current.status as NonNullable<Budget['status']>;
    return {
      ...current,
      status: {
        ...status,
        disruptionsAllowed: status.disruptionsAllowed - 1,
        disruptedPods: { ...status.disruptedPods, [podName]: formatTime(now) },
      },
    };
  };
  await registry.update<Budget>(podDisruptionBudget, key, change, {
    scope: 'status',
    attempts: PERSISTENT_ATTEMPTS,
    dryRun,
  });
};

/** A pod that is not ready does not count as healthy for a budget, so it may be evicted if there are enough others. */
const mayGoUnready = ({ spec, status }: Budget): boolean =>
  spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ||
  (status !== undefined && status.desiredHealthy > 0 && status.currentHealthy >= status.desiredHealthy);

const requireBudget = async (request: ActionRequest<Registry>, found: Pod): Promise<void> => {
  const [budget, ...others] = await budgetsOf(request.registry, found);
  if (others.length > 0) {
    const why = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new StatusError(500, '', why);
  }
  if (!budget || (!isPodReady(found) && mayGoUnready(budget))) return;
  await spend(request, budget, found.metadata.name);
};

/** Records on the pod why it is evicted. */
const markDisrupted = async ({ registry, key, now }: ActionRequest<Registry>): Promise<void> => {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True' as const,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: formatTime(now),
  };
  const change = (current: Pod): Pod => {
    const others = (current.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
    return { ...current, status: { ...current.status, conditions: [...others, condition] } };
  };
  await registry.update<Pod>(pod, key, change, { scope: 'status', attempts: PERSISTENT_ATTEMPTS });
};

const optionsOf = (body: JsonObject) => {
  const { gracePeriodSeconds, dryRun } = isObject(body.deleteOptions) ? body.deleteOptions : {};
  return {
    ...(typeof gracePeriodSeconds === 'number' ? { graceSeconds: gracePeriodSeconds } : {}),
    dryRun: Array.isArray(dryRun) && dryRun.includes('All'),
  };
};

/** Evicts a pod if its budget allows it. Throws StatusError. */
export const evict = async (request: ActionRequest<Registry>): Promise<Status> => {
  const { registry, key, body } = request;
  if ((body.metadata as ObjectMeta | undefined)?.name !== key.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const found = await registry.get(pod, key);
  const options = optionsOf(body);
  const dryRun = request.dryRun || options.dryRun;
  if (!needsNoBudget(found)) await requireBudget({ ...request, dryRun }, found);
  if (!dryRun && !isOver(found)) await markDisrupted(request);
  await registry.delete(pod, key, { ...options, dryRun });
  return SUCCESS;
};
