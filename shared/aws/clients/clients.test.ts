import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeVpcsCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { createDynamoDbClient } from './dynamodb.ts';
import { createEc2Client } from './ec2.ts';
import { createElbv2Client } from './elbv2.ts';
import { createKmsClient } from './kms.ts';
import { createSecretsManagerClient } from './secrets-manager.ts';
import { createSfnClient } from './sfn.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

it('sends every request through the handler that was passed in, to the endpoint that was passed in', async () => {
  const hosts: string[] = [];
  const requestHandler = {
    handle: async (request: { hostname: string }) => {
      hosts.push(request.hostname);
      throw new Error('no network here');
    },
  };
  const endpoint = 'http://simulated.invalid';
  const options = { region: 'us-east-1', credentials, endpoint, requestHandler, maxAttempts: 1 };
  await expect(createDynamoDbClient(options).send(new ListTablesCommand({}))).rejects.toThrow('no network here');
  await expect(createEc2Client(options).send(new DescribeVpcsCommand({}))).rejects.toThrow();
  await expect(createKmsClient(options).listKeys({})).rejects.toThrow('no network here');
  expect(hosts).toEqual(['simulated.invalid', 'simulated.invalid', 'simulated.invalid']);
});

it('leaves to the environment what was not passed in', async () => {
  const options = { region: undefined, credentials: undefined, endpoint: undefined };
  // The SDK resolves these itself, from AWS_REGION and the credential chain, when they are absent and not undefined.
  expect(typeof createSfnClient(options).config.region).toBe('function');
  expect(typeof createSecretsManagerClient(options).config.credentials).toBe('function');
  expect(typeof createElbv2Client(options).config.maxAttempts).toBe('function');
});
