import { AUTHENTICATED, EDITORS, MASTERS, VIEWERS } from '../../shared/access/masters.ts';
import type { Caller } from './caller.ts';

const literally = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Comma-separated patterns of ARNs, in which `*` matches any characters, and account numbers. */
export interface AllowedPrincipals {
  /** Principals that may do everything. */
  adminPrincipals: string;
  /** Principals with the role `edit` or `view` in all namespaces. */
  editorPrincipals?: string;
  viewerPrincipals?: string;
  /** All principals of these accounts reach the API; RBAC objects define what each of them may do. */
  trustedAccounts: string;
}

export type GroupsOf = (caller: Pick<Caller, 'arn' | 'account'>) => readonly string[] | undefined;

const matcher = (patterns: string | undefined) => {
  const expressions = listed(patterns).map(
    (pattern) => new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`),
  );
  return (arn: string): boolean => expressions.some((expression) => expression.test(arn));
};

/** The groups of a principal that STS has identified, or undefined for an unknown principal. */
export const makeGroupsOf = (allowed: AllowedPrincipals): GroupsOf => {
  const named = [
    { group: MASTERS, matches: matcher(allowed.adminPrincipals) },
    { group: EDITORS, matches: matcher(allowed.editorPrincipals) },
    { group: VIEWERS, matches: matcher(allowed.viewerPrincipals) },
  ];
  const accounts = new Set(listed(allowed.trustedAccounts));
  return ({ arn, account }) => {
    const groups = named.filter(({ matches }) => matches(arn)).map(({ group }) => group);
    return groups.length > 0 || accounts.has(account) ? [...groups, AUTHENTICATED] : undefined;
  };
};
