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
  /** Those who may do everything. */
  adminPrincipals: string;
  /** Those who have the roles `edit` and `view` in all namespaces. */
  editorPrincipals?: string;
  viewerPrincipals?: string;
  /** All of their principals are let through to the API; what one of them may do, objects of RBAC say. */
  trustedAccounts: string;
}

export type GroupsOf = (caller: Pick<Caller, 'arn' | 'account'>) => readonly string[] | undefined;

const matcher = (patterns: string | undefined) => {
  const expressions = listed(patterns).map(
    (pattern) => new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`),
  );
  return (arn: string): boolean => expressions.some((expression) => expression.test(arn));
};

/** The groups of a principal that STS vouches for, or undefined for a stranger. */
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
