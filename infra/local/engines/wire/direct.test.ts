import { setImmediate } from 'node:timers/promises';
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createS3Client } from '../../../../shared/aws/clients/s3.ts';
import { createBuckets } from '../../../../shared/providers/aws/api/buckets.ts';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';
import { directTo } from './direct.ts';

let world: TestAws;
beforeEach(async () => {
  world = await startTestAws();
});
afterEach(() => world.aws.close());

/** Nothing listens at the endpoint. */
const direct = () => ({
  ...world.client,
  endpoint: 'http://127.0.0.1:1',
  requestHandler: directTo(world.aws.server, setImmediate),
});

it('passes a request to the server without a socket', async () => {
  const { Subnets = [] } = await new EC2Client(direct()).send(new DescribeSubnetsCommand({}));

  expect(Subnets.length).toBeGreaterThan(0);
  expect(world.calls).toEqual(['ec2:DescribeSubnets']);
});

it('returns faults as the exceptions of the client', async () => {
  const call = new EC2Client(direct()).send(new DescribeSubnetsCommand({ SubnetIds: ['subnet-0'] }));

  expect(await codeOf(call)).toMatch(/^InvalidSubnet/);
});

it('passes on paths, queries and binary bodies', async () => {
  const client = createS3Client(direct());
  const buckets = createBuckets(client);
  await buckets.create('red', 'us-east-1', {});
  await buckets.tag('red', { owner: 'a&b' });
  await client.send(new PutObjectCommand({ Bucket: 'red', Key: 'a b/ü', Body: Buffer.from([0xff, 0x00]) }));

  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'red', Key: 'a b/ü' }));

  expect([...((await Body?.transformToByteArray()) ?? [])]).toEqual([0xff, 0x00]);
  expect(await buckets.tags('red')).toEqual({ owner: 'a&b' });
});

it('answers in a later turn of the event loop, as a socket does', async () => {
  const order: string[] = [];
  const handler = directTo({ answer: async () => ({ status: 200, headers: {}, body: '' }) }, setImmediate);
  const client = new EC2Client({ ...direct(), requestHandler: handler });
  await client.config.credentials();
  const call = client.send(new DescribeSubnetsCommand({})).finally(() => order.push('answer'));
  globalThis.setImmediate(() => order.push('other'));
  await call.catch(() => undefined);

  expect(order).toEqual(['other', 'answer']);
});
