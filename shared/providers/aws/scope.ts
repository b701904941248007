import { LRUCache } from 'lru-cache';
import type { ClientOptions } from '../../aws/clients/options.ts';
import type { Pace } from '../../aws/pace/pace.ts';

/** What requests are signed with; to be kept in memory only. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

/** As whom calls are made. It holds no credentials, only what gives them. */
export interface AwsIdentity {
  /** Names the identity in the version that was read; clients are kept by it. */
  key: string;
  /** Gives the credentials, renewed in time; undefined for the function's own role. */
  credentials?: () => Promise<AwsCredentials>;
  /** The account that the calls go to; undefined for the stack's own. */
  account?: () => Promise<string>;
}

/** Where and as whom the calls for a cluster are made. */
export interface AwsScope {
  /** The stack's own where undefined. */
  region: string | undefined;
  identity: AwsIdentity;
  /** That of the account and region. */
  pace?: Pace;
}

/** Clients or ports of a scope. */
export type PerScope<T> = (scope: AwsScope) => T;

/** The functions' own roles. */
export const CONTROLLER_IDENTITY: AwsIdentity = { key: 'controller' };

/** Two scopes with the same key see the same account and region by the same credentials. */
export const scopeKey = ({ region, identity }: AwsScope): string => `${region ?? ''}|${identity.key}`;

/** More than one function works for at a time; what was not used for longest is made again. */
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
