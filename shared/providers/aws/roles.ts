import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetCallerIdentityCommand,
  type STSClient,
} from '@aws-sdk/client-sts';
import type { AwsCredentials } from './scope.ts';

/** The calls of STS that identities need. AWS errors are passed on unchanged. */
export interface Roles {
  /** Returns credentials of a role. */
  assume(request: AssumeRoleCommandInput): Promise<AwsCredentials>;
  /** The caller's account, twelve digits. */
  account(): Promise<string>;
}

/**
 * The port, implemented with STS. It replaces the SDK's fromTemporaryCredentials, which adds a second STS client that
 * the comparison of grants with calls does not see, and the complete package of the other providers.
 */
export const createRoles = (client: STSClient): Roles => ({
  assume: async (request) => {
    const { Credentials: given } = await client.send(new AssumeRoleCommand(request));
    if (!given?.AccessKeyId || !given.SecretAccessKey)
      throw new Error(`STS gave no credentials for ${request.RoleArn}`);
    return {
      accessKeyId: given.AccessKeyId,
      secretAccessKey: given.SecretAccessKey,
      sessionToken: given.SessionToken,
      expiration: given.Expiration,
    };
  },
  account: async () => (await client.send(new GetCallerIdentityCommand({}))).Account ?? '',
});
