/** A role's trust policy: it defines who may assume the role. */
export interface Trust {
  /** Accounts by their ids, or roles and users by their ARNs. */
  readonly principals: readonly string[];
  /** The external id that callers must know; undefined if none is required. */
  readonly externalId?: string;
}

/** The roles of an account, and those of the accounts that are reached from it. */
export interface RoleDirectory {
  readonly accountId: string;
  /** By name; undefined if anyone in the account may assume any role. */
  readonly roles: Readonly<Record<string, Trust>> | undefined;
  readonly spokes: ReadonlyMap<string, RoleDirectory>;
}

interface Caller {
  arn: string;
  externalId: string | undefined;
}

/** A trust policy names the role, not one of its sessions. */
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
