import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { KMS } from '@aws-sdk/client-kms';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbClient } from './clients/dynamodb.ts';
import { createEc2Client } from './clients/ec2.ts';
import { createElbv2Client } from './clients/elbv2.ts';
import { createKmsClient } from './clients/kms.ts';
import type { ClientOptions } from './clients/options.ts';
import { createSecretsManagerClient } from './clients/secrets-manager.ts';
import { createSfnClient } from './clients/sfn.ts';

/** Every SDK client that Windlass uses, each made at its first use and kept. */
export interface Clients {
  ec2(): EC2Client;
  elbv2(): ElasticLoadBalancingV2Client;
  dynamodb(): DynamoDBDocumentClient;
  secretsManager(): SecretsManagerClient;
  sfn(): SFNClient;
  kms(): KMS;
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * All clients over the same options, for programs that are not bundled: the command line, tests, a simulation. A
 * function's handler imports the factory it needs from `clients/<service>.ts` instead, because a bundler cannot drop the
 * other SDKs from this file.
 */
export const createClients = (options: ClientOptions = {}): Clients => ({
  ec2: once(() => createEc2Client(options)),
  elbv2: once(() => createElbv2Client(options)),
  dynamodb: once(() => createDynamoDbClient(options)),
  secretsManager: once(() => createSecretsManagerClient(options)),
  sfn: once(() => createSfnClient(options)),
  kms: once(() => createKmsClient(options)),
});
