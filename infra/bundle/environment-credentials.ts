import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles. Lambda gives a function its role's credentials in the
 * environment; the SDK's chain would include the clients of STS, SSO and sign-in, and find nothing.
 */
export const defaultProvider = fromEnv;
