import {
  CreateVpcCommand,
  DescribeInstancesCommand,
  DescribeVpcsCommand,
  EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingV2Client,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccount } from './account.ts';
import { codeOf, makeHandClock, makeSeededRandom, startTestAws, type TestAws } from './test-aws.ts';

let test: TestAws;
let ec2: EC2Client;
beforeEach(async () => {
  test = await startTestAws();
  ec2 = new EC2Client(test.client);
});
afterEach(async () => {
  ec2.destroy();
  await test.aws.close();
});

const vpcs = async () => (await ec2.send(new DescribeVpcsCommand({}))).Vpcs?.length;
const create = () => ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }));

it('makes the next calls of an operation fail with the requested errors, in order', async () => {
  test.account.failNext('ec2', 'CreateVpc', { code: 'VpcLimitExceeded', message: 'no more' });
  test.account.failNext('ec2', 'CreateVpc', { code: 'RequestLimitExceeded', status: 503, times: 2 });

  const codes = [await codeOf(create()), await codeOf(create()), await codeOf(create())];
  await create();

  expect(codes).toEqual(['VpcLimitExceeded', 'RequestLimitExceeded', 'RequestLimitExceeded']);
  expect(await vpcs()).toBe(2);
  expect(test.account.injection.pending()).toEqual([]);
});

it('can lose the answer to a call that took effect', async () => {
  test.account.failNext('ec2', '*', { code: 'InternalError', status: 500, when: 'after' });

  expect(await codeOf(create())).toBe('InternalError');
  expect(await vpcs()).toBe(2);
});

it('lets an SDK client retry a temporary fault by itself', async () => {
  test.account.failNext('ec2', 'DescribeVpcs', { code: 'ServiceUnavailable', status: 503 });
  const patient = new EC2Client({ ...test.client, maxAttempts: 2 });

  expect((await patient.send(new DescribeVpcsCommand({}))).Vpcs).toHaveLength(1);
  expect(test.calls).toEqual(['ec2:DescribeVpcs ServiceUnavailable', 'ec2:DescribeVpcs']);
  patient.destroy();
});

it('throttles if configured, and accepts calls again later', async () => {
  test.account.settings.throttling = true;
  const describe = () => ec2.send(new DescribeInstancesCommand({}));
  await Promise.all(Array.from({ length: 50 }, describe));

  expect(await codeOf(describe())).toBe('RequestLimitExceeded');
  expect(await vpcs()).toBe(1);
  test.clock.advance(100);
  await describe();
  expect(await codeOf(describe())).toBe('RequestLimitExceeded');
});

const launchOf = (MaxCount: number) =>
  codeOf(ec2.send(new RunInstancesCommand({ MinCount: 1, MaxCount, ImageId: 'ami-12345678' })));

it('counts the instances of a launch as separate tokens', async () => {
  test.account.settings.throttling = true;

  expect(await launchOf(600)).toBe('InvalidAMIID.NotFound');
  expect(await launchOf(600)).toBe('RequestLimitExceeded');
  expect(await launchOf(400)).toBe('InvalidAMIID.NotFound');
});

it('accepts five launches at a time, and two more per second, in each account', async () => {
  test.account.settings.throttling = true;
  const codes = async (count: number) => Promise.all(Array.from({ length: count }, () => launchOf(1)));
  const throttled = async (count: number) =>
    (await codes(count)).filter((code) => code === 'RequestLimitExceeded').length;

  expect(await throttled(7)).toBe(2);
  test.clock.advance(1_000);
  expect(await throttled(3)).toBe(1);
  const spoke = createAccount({
    accountId: '111111111111',
    clock: test.clock,
    random: makeSeededRandom('spoke'),
    hub: test.account,
  });
  const other = new EC2Client({ ...test.client, credentials: spoke.credentials });
  expect(await codeOf(other.send(new RunInstancesCommand({ MinCount: 1, MaxCount: 1, ImageId: 'ami-12345678' })))).toBe(
    'InvalidAMIID.NotFound',
  );
  other.destroy();
});

it('counts all load balancer calls together, and creations separately as well', async () => {
  test.account.settings.throttling = true;
  const elb = new ElasticLoadBalancingV2Client(test.client);
  const create = () =>
    codeOf(elb.send(new CreateLoadBalancerCommand({ Name: 'a', Type: 'network', Subnets: ['subnet-12345678'] })));
  const describe = () => elb.send(new DescribeLoadBalancersCommand({}));
  for (let call = 0; call < 10; call += 1) expect(await create()).toBe('SubnetNotFoundException');
  expect(await create()).toBe('ThrottlingException');
  for (let call = 0; call < 30; call += 1) await describe();
  expect(await codeOf(describe())).toBe('ThrottlingException');
  elb.destroy();
});

it('gives the same ids for the same seed', () => {
  const idsOf = (seed: string) => {
    const account = createAccount({ clock: makeHandClock(), random: makeSeededRandom(seed) });
    return account
      .ec2()
      .subnets.all()
      .map(({ id }) => id);
  };

  expect(idsOf('one')).toEqual(idsOf('one'));
  expect(idsOf('one')).not.toEqual(idsOf('two'));
});

it('refuses an invalid account id', () => {
  const make = () => createAccount({ accountId: '123', clock: makeHandClock(), random: makeSeededRandom('x') });
  expect(make).toThrow("accountId must be twelve digits, not '123'");
});
