import type { PolicyRule } from '../kinds/index.ts';
import { pathMatches, resourceMatches } from './rule.ts';

/**
 * Whether rules grant no more rights than other rules, piece by piece: one rule must cover each verb on each resource
 * (k8s.io/component-helpers auth/rbac/validation).
 */

/** The right to use one verb on one resource or path, and on one name at most. */
interface Piece {
  verb: string;
  group?: string;
  resource?: string;
  name?: string;
  path?: string;
}

const ALL = '*';

const piecesOf = ({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule) =>
  verbs.flatMap((verb): Piece[] => [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource): Piece[] =>
        resourceNames.length === 0
          ? [{ verb, group, resource }]
          : resourceNames.map((name) => ({ verb, group, resource, name })),
      ),
    ),
    ...nonResourceURLs.map((path) => ({ verb, path })),
  ]);

const holds = (held: readonly string[] = [], wanted: string): boolean => held.includes(ALL) || held.includes(wanted);

const coversResource = (held: readonly string[] = [], wanted: string): boolean => {
  const [resource = '', subresource = ''] = wanted.split('/');
  return held.some((allowed) => resourceMatches(allowed, resource, subresource));
};

const coversPiece = (rule: PolicyRule, { verb, group, resource, name, path }: Piece): boolean => {
  if (!holds(rule.verbs, verb)) return false;
  if (path !== undefined) return (rule.nonResourceURLs ?? []).some((allowed) => pathMatches(allowed, path));
  const names = rule.resourceNames ?? [];
  return (
    holds(rule.apiGroups, group ?? '') &&
    coversResource(rule.resources, resource ?? '') &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
};

const quoted = (value: string): string => `[${JSON.stringify(value)}]`;

/** In the form in which Go prints a compact rule. */
const describe = ({ verb, group, resource, name, path }: Piece): string => {
  const parts =
    path === undefined
      ? [`APIGroups:${quoted(group ?? '')}`, `Resources:${quoted(resource ?? '')}`]
      : [`NonResourceURLs:${quoted(path)}`];
  const names = name === undefined ? [] : [`ResourceNames:${quoted(name)}`];
  return `{${[...parts, ...names, `Verbs:${quoted(verb)}`].join(', ')}}`;
};

/** What `wanted` grants and `held` does not, as text; empty if `held` covers everything. */
export const missingRights = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string[] => {
  const missing = wanted.flatMap(piecesOf).filter((piece) => !held.some((rule) => coversPiece(rule, piece)));
  return [...new Set(missing.map(describe))].sort();
};
