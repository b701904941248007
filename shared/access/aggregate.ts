import { isDeepStrictEqual } from 'node:util';
import { type ClusterRole, kinds, type PolicyRule } from '../kinds/index.ts';
import { selects } from '../kinds/rules/kubernetes/label-selector.ts';
import type { Registry } from '../kube-api/registry/registry.ts';
import { PERSISTENT_ATTEMPTS } from '../kube-api/storage/retry.ts';

const byName = (a: ClusterRole, b: ClusterRole): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** The roles that an aggregated role combines. */
const sourcesOf = (role: ClusterRole, all: readonly ClusterRole[]): ClusterRole[] => {
  const { clusterRoleSelectors = [] } = role.aggregationRule ?? {};
  return all
    .filter(({ metadata }) => clusterRoleSelectors.some((selector) => selects(selector, metadata.labels)))
    .sort(byName);
};

const collect = (role: ClusterRole, all: readonly ClusterRole[], seen: Set<string>): readonly PolicyRule[] => {
  if (seen.has(role.metadata.name)) return [];
  seen.add(role.metadata.name);
  if (role.aggregationRule === undefined) return role.rules ?? [];
  return sourcesOf(role, all).flatMap((source) => collect(source, all, seen));
};

/**
 * The rules of a cluster role: its own, or those of all roles that its aggregation selects, each once, by the names of
 * the roles. Chains of aggregation are resolved completely, so the rules stored in these roles do not matter.
 */
export const effectiveRules = (role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] => {
  const rules: PolicyRule[] = [];
  for (const rule of collect(role, all, new Set()))
    if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
  return rules;
};

/** Writes the resolved rules into each aggregating role, for readers. Decisions do not wait for that. */
export const storeAggregates = async (registry: Registry): Promise<void> => {
  const all = (await registry.list(kinds.clusterRole, { namespace: '' })).items as ClusterRole[];
  const stale = all
    .filter(({ aggregationRule }) => aggregationRule !== undefined)
    .filter((role) => !isDeepStrictEqual(role.rules ?? [], effectiveRules(role, all)));
  for (const { metadata } of stale) {
    const change = (current: ClusterRole) => ({ ...current, rules: effectiveRules(current, all) });
    await registry.update(kinds.clusterRole, { namespace: '', name: metadata.name }, change, {
      attempts: PERSISTENT_ATTEMPTS,
    });
  }
};
