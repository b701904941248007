import { createHash } from 'node:crypto';
import { memoizeIdentityProvider } from '@smithy/core';
import { describeAwsError, isServerFault, isThrottling } from '../../../../shared/aws/errors.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { AWSClusterRoleIdentity } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { roleAccount, roleProblem, roleRequest } from '../../../../shared/providers/aws/plan/identity/role-request.ts';
import type { Roles } from '../../../../shared/providers/aws/roles.ts';
import { type AwsCredentials, type AwsIdentity, CONTROLLER_IDENTITY } from '../../../../shared/providers/aws/scope.ts';
import type { Base, IdentityChain } from './chain.ts';
import { IdentityError } from './identity-error.ts';

/** STS with the given credentials; without any, with those of the function. */
export type RolesAs = (credentials: (() => Promise<AwsCredentials>) | undefined) => Promise<Roles>;

export interface CredentialDependencies {
  clock: Clock;
  roles: RolesAs;
  /** The account of the stack. */
  accountId: string;
}

type Provider = () => Promise<AwsCredentials>;

/** Credentials that expire within this time are renewed, as the SDK does. */
const RENEW_MILLISECONDS = 300_000;

/** Requests credentials once, even for several concurrent clients, and again shortly before they expire. */
const keep = (clock: Clock, provider: Provider): Provider => {
  const isExpired = ({ expiration }: { expiration?: Date }): boolean =>
    expiration !== undefined && expiration.getTime() - clock.now().getTime() < RENEW_MILLISECONDS;
  const kept = memoizeIdentityProvider(provider, isExpired, ({ expiration }) => expiration !== undefined);
  return async () => (await kept?.()) ?? provider();
};

const versionOf = ({ kind, metadata }: KubeObject): unknown[] => [kind, metadata.uid, metadata.resourceVersion];

/** A key that changes with everything on which the credentials depend. */
const keyOf = ({ base, roles }: IdentityChain): string => {
  const parts = base.kind === 'static' ? [versionOf(base.identity), versionOf(base.secret)] : [];
  const versions = JSON.stringify([...parts, ...roles.map(versionOf)]);
  return createHash('sha256').update(versions).digest('hex').slice(0, 32);
};

const KEYS = ['AccessKeyID', 'SecretAccessKey', 'SessionToken'] as const;

/** AWS's error repeats an access key id that it cannot parse, and a wrong value in a Secret may be confidential. */
const FORMS = [/^\w{1,128}$/, /^[\x21-\x7e]+$/, /^[\x21-\x7e]+$/] as const;

const staticCredentials = ({ identity, secret }: Extract<Base, { kind: 'static' }>): AwsCredentials => {
  const [accessKeyId, secretAccessKey, sessionToken] = KEYS.map((key) =>
    Buffer.from(secret.data?.[key] ?? '', 'base64')
      .toString('utf8')
      .trim(),
  );
  if (!accessKeyId || !secretAccessKey) {
    const { name, namespace } = secret.metadata;
    const message = `AWSClusterStaticIdentity ${identity.metadata.name}: spec.secretRef: the Secret ${namespace}/${name} must have the keys ${KEYS[0]} and ${KEYS[1]}`;
    throw new IdentityError('retrieval', message);
  }
  const damaged = [accessKeyId, secretAccessKey, sessionToken].findIndex(
    (value, index) => value && !FORMS[index]?.test(value),
  );
  if (damaged >= 0) {
    const { name, namespace } = secret.metadata;
    const message = `AWSClusterStaticIdentity ${identity.metadata.name}: spec.secretRef: ${KEYS[damaged]} of the Secret ${namespace}/${name} has characters that AWS does not use there`;
    throw new IdentityError('retrieval', message);
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
};

/** A refusal by AWS is an error of the identity. A temporary error is thrown unchanged, to be retried. */
const asIdentityError = (what: string, error: unknown): unknown => {
  if (error instanceof IdentityError || isThrottling(error) || isServerFault(error)) return error;
  return new IdentityError('refused', `${what}: ${describeAwsError(error)}`, { cause: error });
};

const staticIdentity = (
  { roles }: CredentialDependencies,
  base: Extract<Base, { kind: 'static' }>,
): Required<Omit<AwsIdentity, 'key'>> => {
  const credentials = async () => staticCredentials(base);
  let known: Promise<string> | undefined;
  const ask = async (): Promise<string> => {
    try {
      return await (await roles(credentials)).account();
    } catch (error) {
      known = undefined;
      throw asIdentityError(`AWSClusterStaticIdentity ${base.identity.metadata.name}: spec.secretRef`, error);
    }
  };
  const account = () => {
    known ??= ask();
    return known;
  };
  return { credentials, account };
};

const assumed = (
  { roles, clock, accountId }: CredentialDependencies,
  source: Omit<AwsIdentity, 'key'>,
  isChained: boolean,
  identity: AWSClusterRoleIdentity,
): Required<Omit<AwsIdentity, 'key'>> => {
  const assume = async (): Promise<AwsCredentials> => {
    const of = (await source.account?.()) ?? accountId;
    const problem = roleProblem(identity, of);
    if (problem) throw new IdentityError('retrieval', `AWSClusterRoleIdentity ${identity.metadata.name}: ${problem}`);
    // The source comes first, so that its own errors are reported for it.
    await source.credentials?.();
    try {
      return await (await roles(source.credentials)).assume(roleRequest(identity, isChained));
    } catch (error) {
      const what = `AWSClusterRoleIdentity ${identity.metadata.name}: spec.roleARN ${identity.spec?.roleARN} cannot be assumed`;
      throw asIdentityError(what, error);
    }
  };
  return { credentials: keep(clock, assume), account: async () => roleAccount(identity) ?? '' };
};

/** The credentials for the calls of a cluster with this chain. AWS is not called before the first use. */
export const identityOf = (deps: CredentialDependencies, chain: IdentityChain): AwsIdentity => {
  const { base, roles } = chain;
  if (base.kind === 'controller' && roles.length === 0) return CONTROLLER_IDENTITY;
  const first: Omit<AwsIdentity, 'key'> = base.kind === 'static' ? staticIdentity(deps, base) : {};
  // A function is already a session of a role; a user is not.
  const made = roles.reduce(
    (source, role, index) => assumed(deps, source, index > 0 || base.kind === 'controller', role),
    first,
  );
  return { ...made, key: keyOf(chain) };
};
