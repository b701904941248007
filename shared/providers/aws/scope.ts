import { LRUCache } from 'lru-cache';
import type { ClientOptions } from '../../aws/clients/options.ts';
import type { Pace } from '../../aws/pace/pace.ts';

/** Credentials for signing requests. They must only be kept in memory. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

/** The identity with which calls are made. It contains no credentials, only a way to get them. */
export interface AwsIdentity {
  /** Identifies the identity in the version that was read; clients are cached by it. */
  key: string;
  /** Returns the credentials, renewed in time; undefined for the function's own role. */
  credentials?: () => Promise<AwsCredentials>;
  /** The account of the calls; undefined for the stack's own. */
  account?: () => Promise<string>;
}

/** The region and the identity for the calls of a cluster. */
export interface AwsScope {
  /** The stack's own region if undefined. */
  region: string | undefined;
  identity: AwsIdentity;
  /** The pace of the account and region. */
  pace?: Pace;
}

/** Clients or ports of a scope. */
export type PerScope<T> = (scope: AwsScope) => T;

/** The functions' own roles. */
export const CONTROLLER_IDENTITY: AwsIdentity = { key: 'controller' };

/** Two scopes with the same key use the same account and region with the same credentials. */
export const scopeKey = ({ region, identity }: AwsScope): string => `${region ?? ''}|${identity.key}`;

/** More than one function uses concurrently; the least recently used value is created again. */
const KEPT = 100;

/** Creates a value once for each scope, with the options for its SDK clients, and caches it. */
export const makePerScope = <T extends {}>(
  make: (options: Pick<ClientOptions, 'region' | 'credentials' | 'pace'>) => T,
): PerScope<T> => {
  const known = new LRUCache<string, T>({ max: KEPT });
  return (scope) => {
    const key = scopeKey(scope);
    const found = known.get(key);
    if (found !== undefined) return found;
    const { region, identity, pace } = scope;
    const made = make({ region, credentials: identity.credentials, pace });
    known.set(key, made);
    return made;
  };
};
