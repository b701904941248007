import { type Place, randomHex } from '../wire/place.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Only temporary credentials have a session token. */
  readonly sessionToken?: string;
}

/** The principal to which credentials belong. */
export interface Principal {
  readonly arn: string;
  /** `AROA...:session` for a role, `AIDA...` for a user. */
  readonly userId: string;
  readonly credentials: Credentials;
  readonly expiresAt?: Date;
}

/** The credentials that the account has issued. */
export interface Principals {
  /** Gives a principal credentials: the given ones, or new ones. */
  add(arn: string, options?: { credentials?: Credentials; expiresAt?: Date }): Principal;
  find(accessKeyId: string): Principal | undefined;
  /** All principals, by access key. */
  readonly byKey: Map<string, Principal>;
}

const userIdOf = (random: Place['random'], arn: string): string => {
  const id = randomHex(random, 17).toUpperCase();
  const session = /:assumed-role\/[^/]+\/(.+)$/.exec(arn)?.[1];
  return session === undefined ? `AIDA${id}` : `AROA${id}:${session}`;
};

export const makePrincipals = (random: Place['random']): Principals => {
  const byKey = new Map<string, Principal>();
  const newCredentials = (isTemporary: boolean): Credentials => ({
    accessKeyId: `${isTemporary ? 'ASIA' : 'AKIA'}${randomHex(random, 16).toUpperCase()}`,
    secretAccessKey: randomHex(random, 40),
    ...(isTemporary ? { sessionToken: randomHex(random, 64) } : {}),
  });
  return {
    byKey,
    add: (arn, { credentials, expiresAt } = {}) => {
      const given = credentials ?? newCredentials(expiresAt !== undefined);
      const principal: Principal = { arn, userId: userIdOf(random, arn), credentials: given, expiresAt };
      byKey.set(given.accessKeyId, principal);
      return principal;
    },
    find: (accessKeyId) => byKey.get(accessKeyId),
  };
};
