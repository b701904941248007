import type { PolicyRule } from '../kinds/index.ts';
import type { Attributes } from '../kube-api/server/user.ts';

/** What one rule of a role allows (k8s.io/kubernetes pkg/apis/rbac/v1 evaluation_helpers). */

const ALL = '*';

const allows = (allowed: readonly string[] = [], asked: string): boolean =>
  allowed.includes(ALL) || allowed.includes(asked);

/** `*` as the last step of a path matches everything with that prefix. */
export const pathMatches = (allowed: string, path: string): boolean =>
  allowed === ALL || allowed === path || (allowed.endsWith(ALL) && path.startsWith(allowed.replace(/(?<!\*)\*+$/, '')));

/**
 * `machines`, `machines/status`, `*` for everything, or `*` before a subresource for that subresource of all resources.
 */
export const resourceMatches = (allowed: string, resource: string, subresource: string): boolean => {
  if (allowed === ALL) return true;
  if (subresource === '') return allowed === resource;
  return allowed === `${resource}/${subresource}` || allowed === `${ALL}/${subresource}`;
};

const nameMatches = (names: readonly string[] = [], name: string): boolean =>
  names.length === 0 || names.includes(name);

export const ruleAllows = (rule: PolicyRule, attributes: Attributes): boolean => {
  const { verb, path, group = '', resource, subresource = '', name = '' } = attributes;
  if (!allows(rule.verbs, verb)) return false;
  if (resource === undefined) return (rule.nonResourceURLs ?? []).some((allowed) => pathMatches(allowed, path ?? ''));
  return (
    allows(rule.apiGroups, group) &&
    (rule.resources ?? []).some((allowed) => resourceMatches(allowed, resource, subresource)) &&
    nameMatches(rule.resourceNames, name)
  );
};
