import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles. Lambda provides the credentials of a function's role in
 * the environment; the SDK's own chain would include the clients of STS, SSO and sign-in, and find nothing.
 */
export const defaultProvider = fromEnv;
