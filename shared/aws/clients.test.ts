import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeVpcsCommand } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { createClients } from './clients.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

it('makes each client once, at its first use', () => {
  const clients = createClients({ region: 'eu-central-1', credentials });
  expect(clients.ec2()).toBe(clients.ec2());
  expect(clients.dynamodb()).not.toBe(createClients({ region: 'eu-central-1', credentials }).dynamodb());
});

it('sends every request through the handler that was passed in, to the endpoint that was passed in', async () => {
  const hosts: string[] = [];
  const requestHandler = {
    handle: async (request: { hostname: string }) => {
      hosts.push(request.hostname);
      throw new Error('no network here');
    },
  };
  const endpoint = 'http://simulated.invalid';
  const clients = createClients({ region: 'us-east-1', credentials, endpoint, requestHandler, maxAttempts: 1 });
  await expect(clients.dynamodb().send(new ListTablesCommand({}))).rejects.toThrow('no network here');
  await expect(clients.ec2().send(new DescribeVpcsCommand({}))).rejects.toThrow();
  await expect(clients.kms().listKeys({})).rejects.toThrow('no network here');
  expect(hosts).toEqual(['simulated.invalid', 'simulated.invalid', 'simulated.invalid']);
});

it('leaves to the environment what was not passed in', async () => {
  const clients = createClients({ region: undefined, credentials: undefined, endpoint: undefined });
  // The SDK resolves these itself, from AWS_REGION and the credential chain, when they are absent and not undefined.
  expect(typeof clients.sfn().config.region).toBe('function');
  expect(typeof clients.secretsManager().config.credentials).toBe('function');
  expect(typeof clients.elbv2().config.maxAttempts).toBe('function');
});
