import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import {
  type ClusterRole,
  type ClusterRoleBinding,
  type ConfigMap,
  kinds,
  type PolicyRule,
  type Role,
  type RoleBinding,
} from '../kinds/index.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import type { Storage } from '../kube-api/storage/storage.ts';
import { effectiveRules } from './aggregate.ts';

/** How long a policy is cached. A revoked right may be used until then. */
const POLICY_FRESH_MILLISECONDS = 10_000;

/** More namespaces than an installation has. The least recently used ones are read again. */
const REMEMBERED = 1_000;

/** The stored objects that determine who may do what. */
export interface Policy {
  clusterBindings(): Promise<readonly ClusterRoleBinding[]>;
  bindings(namespace: string): Promise<readonly RoleBinding[]>;
  /** The rules of a cluster role, including aggregated ones; undefined if it does not exist. */
  clusterRole(name: string): Promise<readonly PolicyRule[] | undefined>;
  role(namespace: string, name: string): Promise<readonly PolicyRule[] | undefined>;
  /** kube-system/aws-auth. */
  principalMap(): Promise<ConfigMap | undefined>;
  /** Reads everything again from now on. */
  forget(): void;
}

/** Reads the policy from the storage, and caches it. */
export const createPolicy = ({ storage, clock }: { storage: Pick<Storage, 'get' | 'list'>; clock: Clock }): Policy => {
  const remembered = new LRUCache<string, { until: number; value: Promise<unknown> }>({ max: REMEMBERED });

  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const now = clock.now().getTime();
    const known = remembered.get(key);
    if (known !== undefined && known.until > now) return known.value as Promise<T>;
    // The time is taken before the read, because the read may miss changes that happen in the meantime.
    const value = read();
    remembered.set(key, { until: now + POLICY_FRESH_MILLISECONDS, value });
    value.catch(() => {
      if (remembered.get(key)?.value === value) remembered.delete(key);
    });
    return value;
  };

  const listed = <T extends KubeObject>(resource: ResourceDefinition<T>, namespace: string): Promise<T[]> =>
    once(`${resource.plural}|${namespace}`, async () => {
      const { items } = await storage.list(resource, { namespace, unversioned: true });
      // Stored objects have passed the admission of their kind.
      return items as T[];
    });
  const clusterRoles = (): Promise<ClusterRole[]> => listed<ClusterRole>(kinds.clusterRole, '');

  // Aggregation is resolved once for each list that was read, so the result is no older than the list.
  const rulesOf = new WeakMap<readonly ClusterRole[], Map<string, readonly PolicyRule[]>>();
  const rulesIn = (all: readonly ClusterRole[], role: ClusterRole): readonly PolicyRule[] => {
    const known = rulesOf.get(all) ?? new Map<string, readonly PolicyRule[]>();
    rulesOf.set(all, known);
    const rules = known.get(role.metadata.name) ?? effectiveRules(role, all);
    known.set(role.metadata.name, rules);
    return rules;
  };

  return {
    clusterBindings: () => listed<ClusterRoleBinding>(kinds.clusterRoleBinding, ''),
    bindings: (namespace) => listed<RoleBinding>(kinds.roleBinding, namespace),
    clusterRole: async (name) => {
      const all = await clusterRoles();
      const found = all.find(({ metadata }) => metadata.name === name);
      return found && rulesIn(all, found);
    },
    role: async (namespace, name) => {
      const found = (await listed<Role>(kinds.role, namespace)).find(({ metadata }) => metadata.name === name);
      return found && (found.rules ?? []);
    },
    principalMap: () =>
      once(
        'aws-auth',
        async () => (await storage.get(kinds.configMap, 'kube-system', 'aws-auth')) as ConfigMap | undefined,
      ),
    forget: () => remembered.clear(),
  };
};
