import { isDeepStrictEqual } from 'node:util';
import { type ClusterRole, type ClusterRoleBinding, kinds } from '../kinds/index.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { Registry } from '../kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { StatusError } from '../kube-api/status-error.ts';
import { PERSISTENT_ATTEMPTS } from '../kube-api/storage/retry.ts';
import { effectiveRules, storeAggregates } from './aggregate.ts';
import { missingRights } from './covers.ts';
import { AUTO_UPDATE, defaultClusterRoleBindings, defaultClusterRoles } from './default-policy.ts';

/** Missing labels and annotations are restored; those that users have set are kept. */
const withMarks = <T extends KubeObject>(current: T, wanted: T): T => ({
  ...current,
  metadata: {
    ...current.metadata,
    labels: { ...wanted.metadata.labels, ...current.metadata.labels },
    annotations: { ...wanted.metadata.annotations, ...current.metadata.annotations },
  },
});

/** Users' additions are kept. */
const completeRole = (current: ClusterRole, wanted: ClusterRole): ClusterRole => {
  const marked = withMarks(current, wanted);
  if (wanted.aggregationRule) return { ...marked, aggregationRule: current.aggregationRule ?? wanted.aggregationRule };
  const held = current.rules ?? [];
  const missing = (wanted.rules ?? []).filter((rule) => missingRights(held, [rule]).length > 0);
  return { ...marked, rules: [...held, ...missing] };
};

const completeBinding = (current: ClusterRoleBinding, wanted: ClusterRoleBinding): ClusterRoleBinding => {
  const held = current.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((subject) => !held.some((its) => isDeepStrictEqual(its, subject)));
  return { ...withMarks(current, wanted), subjects: [...held, ...missing] };
};

const ensureAll = async <T extends KubeObject>(
  registry: Registry,
  resource: ResourceDefinition<T>,
  wanted: readonly T[],
  complete: (current: T, wanted: T) => T,
): Promise<void> => {
  const { items } = await registry.list(resource, { namespace: '' });
  const stored = new Map(items.map((item) => [item.metadata.name, item as T]));
  const ensure = async (object: T): Promise<void> => {
    const current = stored.get(object.metadata.name);
    if (!current) return createOnce(registry, resource, object);
    if (current.metadata.annotations?.[AUTO_UPDATE] === 'false') return;
    if (isDeepStrictEqual(complete(current, object), current)) return;
    const key = { namespace: '', name: object.metadata.name };
    await registry.update(resource, key, (now) => complete(now, object), { attempts: PERSISTENT_ATTEMPTS });
  };
  await Promise.all(wanted.map(ensure));
};

const createOnce = async <T extends KubeObject>(
  registry: Registry,
  resource: ResourceDefinition<T>,
  object: T,
): Promise<void> => {
  try {
    await registry.create(resource, object);
  } catch (error) {
    // Another process has created it in the meantime.
    if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
  }
};

/** As in upstream, creates missing default roles and bindings, and restores missing parts of them. */
export const ensurePolicy = async (registry: Registry): Promise<void> => {
  const roles = defaultClusterRoles(registry.resources);
  const whole = roles.map((role) => ({ ...role, rules: [...effectiveRules(role, roles)] }));
  await Promise.all([
    ensureAll<ClusterRole>(registry, kinds.clusterRole, whole, completeRole),
    ensureAll<ClusterRoleBinding>(registry, kinds.clusterRoleBinding, defaultClusterRoleBindings(), completeBinding),
  ]);
  await storeAggregates(registry);
};
