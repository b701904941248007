import { warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import type { IdentityReason } from './identity-error.ts';

/** Why the identity of a cluster cannot be used; upstream's reasons of its conditions. */
export const IDENTITY_REASONS = {
  PrincipalUsageUnauthorized: warning({ AWSCluster: 'Its namespace may not use the identity that it names.' }),
  SourcePrincipalUsageUnauthorized: warning({
    AWSCluster: 'Its namespace may not use an identity by way of which its own is used.',
  }),
  PrincipalCredentialRetrievalFailed: warning({
    AWSCluster: 'Something that its identity names does not exist or is not as it should be.',
  }),
  CredentialProviderBuildFailed: warning({ AWSCluster: 'AWS gives no credentials for its identity.' }),
} satisfies Record<IdentityReason, unknown>;

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof IDENTITY_REASONS>(deps, 'identity');
