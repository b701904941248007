import type { Caller } from './caller.ts';

const literally = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Everybody whose token was verified; what such a caller may do, objects of RBAC say. */
const KNOWN_GROUPS: readonly string[] = ['system:authenticated'];

/** Groups of a caller who may do everything, as the API's authorization knows them. */
const ADMIN_GROUPS: readonly string[] = ['system:masters', ...KNOWN_GROUPS];

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type GroupsOf = (caller: Pick<Caller, 'arn' | 'account'>) => readonly string[] | undefined;

/**
 * Reads comma-separated patterns of the admins' ARNs, in which `*` stands for any characters, and numbers of the accounts
 * whose principals are let through to the API. The function that it returns gives the groups of a principal, or undefined
 * for a stranger.
 */
export const makeGroupsOf = (patterns: string, trustedAccounts: string): GroupsOf => {
  const expressions = listed(patterns).map(
    (pattern) => new RegExp(`^${pattern.split('*').map(literally).join('.*')}$`),
  );
  const accounts = new Set(listed(trustedAccounts));
  return ({ arn, account }) => {
    if (expressions.some((expression) => expression.test(arn))) return ADMIN_GROUPS;
    return accounts.has(account) ? KNOWN_GROUPS : undefined;
  };
};
