/** What a role's trust policy says: who may assume it. */
export interface Trust {
  /** Accounts by their ids, or roles and users by their ARNs. */
  readonly principals: readonly string[];
  /** What callers must know; undefined if nothing is required. */
  readonly externalId?: string;
}

/** An account's roles, and those of the accounts that are reached from it. */
export interface RoleDirectory {
  readonly accountId: string;
  /** By name; undefined where anyone of the account may assume any role. */
  readonly roles: Readonly<Record<string, Trust>> | undefined;
  readonly spokes: ReadonlyMap<string, RoleDirectory>;
}

interface Caller {
  arn: string;
  externalId: string | undefined;
}

/** A trust policy names the role, not a session of it. */
const roleOf = (arn: string): string =>
  arn.replace(/^arn:aws:sts::(\d+):assumed-role\/([^/]+)\/.*$/, 'arn:aws:iam::$1:role/$2');

/** Whether the trust policy of a role, if there is one, lets the caller assume it. */
export const mayAssume = (
  home: RoleDirectory,
  accountId: string,
  name: string,
  { arn, externalId }: Caller,
): boolean => {
  const directory = accountId === home.accountId ? home : home.spokes.get(accountId);
  const callerAccount = arn.split(':')[4] ?? '';
  if (!directory) return false;
  const trust = directory.roles?.[name];
  if (!trust) return directory.roles === undefined && callerAccount === accountId;
  const isNamed = trust.principals.includes(callerAccount) || trust.principals.includes(roleOf(arn));
  return isNamed && (trust.externalId === undefined || trust.externalId === externalId);
};
