import { warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';
import type { IdentityReason } from './identity-error.ts';

/** Reasons why a cluster's identity cannot be used; the names are those of upstream's conditions. */
export const IDENTITY_REASONS = {
  PrincipalUsageUnauthorized: warning({ AWSCluster: 'Its namespace may not use its identity.' }),
  SourcePrincipalUsageUnauthorized: warning({
    AWSCluster: 'Its namespace may not use a source of its identity.',
  }),
  PrincipalCredentialRetrievalFailed: warning({
    AWSCluster: 'An object that its identity refers to does not exist or is invalid.',
  }),
  CredentialProviderBuildFailed: warning({ AWSCluster: 'AWS refused credentials for its identity.' }),
} satisfies Record<IdentityReason, unknown>;

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof IDENTITY_REASONS>(deps, 'identity');
