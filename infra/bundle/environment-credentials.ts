import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands for @aws-sdk/credential-provider-node in the bundles. Lambda gives a function its role's credentials in the
 * environment; the SDK's chain would bring along the clients of STS, SSO and sign-in, and search where nothing can be.
 */
export const defaultProvider = fromEnv;
