import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeVpcsCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isServerFault } from '../errors.ts';
import { createAutoScalingClient } from './auto-scaling.ts';
import { createClassicElbClient } from './classic-elb.ts';
import { createDynamoDbClient } from './dynamodb.ts';
import { createEc2Client } from './ec2.ts';
import { createElbv2Client } from './elbv2.ts';
import { createIamClient } from './iam.ts';
import { createKmsClient } from './kms.ts';
import { createLambdaClient } from './lambda.ts';
import { givenOptions } from './options.ts';
import { createS3Client } from './s3.ts';
import { createSecretsManagerClient } from './secrets-manager.ts';
import { createServiceQuotasClient } from './service-quotas.ts';
import { createSfnClient } from './sfn.ts';
import { createSsmClient } from './ssm.ts';
import { createStsClient } from './sts.ts';

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

it.each(
  Object.entries({
    ...{ createAutoScalingClient, createClassicElbClient, createDynamoDbClient, createEc2Client, createElbv2Client },
    ...{ createIamClient, createKmsClient, createLambdaClient, createS3Client, createSecretsManagerClient },
    ...{ createServiceQuotasClient, createSfnClient, createSsmClient, createStsClient },
  }),
)('%s has no middleware that copies each answer for a log', (_, create) => {
  expect(create({ region: 'us-east-1', credentials }).middlewareStack.identify().join('\n')).not.toContain('logger');
});

describe('a request that is never answered', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('fails with an error that counts as a server fault', async () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { requestHandler } = givenOptions({}, 20);
    const client = createEc2Client({ region: 'us-east-1', credentials, endpoint, requestHandler, maxAttempts: 1 });
    const error = await client.send(new DescribeVpcsCommand({})).catch((reason: unknown) => reason);
    expect(isServerFault(error)).toBe(true);
    // Counts attempts, not the requests that reach the server: an attempt may be abandoned before its request arrives.
    expect(error).toMatchObject({ $metadata: { attempts: 1 } });
  });

  it('keeps its limits if only settings of the handler are given, such as an agent for a proxy', () => {
    const httpsAgent = {};
    const { requestHandler } = givenOptions({ requestHandler: { httpsAgent } as object }, 20);
    expect(requestHandler).toEqual({ ...(givenOptions({}, 20).requestHandler as object), httpsAgent });
  });

  it('exhausts its three attempts within the 60 seconds of a step', () => {
    const { requestTimeout } = givenOptions({}).requestHandler as { requestTimeout: number };
    expect(3 * requestTimeout).toBeLessThan(60_000);
  });
});

it('lets the SDK resolve options that were not passed in', async () => {
  const options = { region: undefined, credentials: undefined, endpoint: undefined };
  // The SDK resolves these from AWS_REGION and the credential chain only if the keys are absent, not if they are
  // undefined.
  expect(typeof createSfnClient(options).config.region).toBe('function');
  expect(typeof createSecretsManagerClient(options).config.credentials).toBe('function');
  expect(typeof createElbv2Client(options).config.maxAttempts).toBe('function');
});
