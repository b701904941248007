import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetCallerIdentityCommand,
  type STSClient,
} from '@aws-sdk/client-sts';
import type { AwsCredentials } from './scope.ts';

/** The calls of STS that identities need. AWS errors pass as they are. */
export interface Roles {
  /** Credentials of a role. */
  assume(request: AssumeRoleCommandInput): Promise<AwsCredentials>;
  /** Twelve digits: the account that the caller belongs to. */
  account(): Promise<string>;
}

/**
 * The port over STS. A thin one instead of the SDK's fromTemporaryCredentials, which adds a second client of STS that
 * the comparison of grants with calls does not see, and the whole package of the other providers.
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
