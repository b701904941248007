import { LRUCache } from 'lru-cache';
import type { Pacer } from '../../../../shared/aws/pace/pacer.ts';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { type AwsIdentity, type AwsScope, CONTROLLER_IDENTITY } from '../../../../shared/providers/aws/scope.ts';
import type { ScopeOf } from '../aws-scope.ts';
import { readChain } from './chain.ts';
import { type CredentialDependencies, identityOf } from './credentials.ts';

/** The longest time for which an old version of a changed identity is used. */
const FRESH_MILLISECONDS = 10_000;
/** A sweep uses the identities of all its clusters, always in the same order: with fewer, each would be assumed again. */
const KEPT = 5_000;

interface Known {
  at: number;
  identity: AwsIdentity;
}

interface ScopeDependencies extends CredentialDependencies {
  objects: ObjectClient;
  /** The region of the stack, for clusters that name no region. */
  homeRegion: string;
  pacer?: Pacer;
}

/**
 * The region and identity for the calls of a cluster: those that its AWSCluster names, with working credentials. Throws
 * IdentityError if there are none. Objects are cached for some seconds, and credentials until shortly before they
 * expire; both only in memory.
 */
export const makeScopeOf = (deps: ScopeDependencies): ScopeOf => {
  const byReference = new LRUCache<string, Known>({ max: KEPT });
  const byKey = new LRUCache<string, AwsIdentity>({ max: KEPT });

  const read = async (awsCluster: AWSCluster): Promise<AwsIdentity> => {
    const made = identityOf(deps, await readChain(deps.objects, awsCluster));
    const identity = byKey.get(made.key) ?? made;
    byKey.set(made.key, identity);
    return identity;
  };

  const find = async (awsCluster: AWSCluster): Promise<AwsIdentity> => {
    const { identityRef } = awsCluster.spec;
    const reference = JSON.stringify([awsCluster.metadata.namespace, identityRef?.kind, identityRef?.name]);
    const now = deps.clock.now().getTime();
    const known = byReference.get(reference);
    if (known && now - known.at < FRESH_MILLISECONDS) return known.identity;
    const identity = await read(awsCluster);
    byReference.set(reference, { at: now, identity });
    return identity;
  };

  const paceOf = (region: string, account = deps.accountId) => deps.pacer?.(`${account} ${region}`);

  return async (awsCluster): Promise<AwsScope> => {
    const region = awsCluster?.spec.region ?? deps.homeRegion;
    if (!awsCluster) return { region, identity: CONTROLLER_IDENTITY, pace: paceOf(region) };
    const identity = await find(awsCluster);
    const [account] = await Promise.all([identity.account?.(), identity.credentials?.()]);
    return { region, identity, pace: paceOf(region, account) };
  };
};
