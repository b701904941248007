import {
  DescribeImagesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeregisterTargetsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';
import type { HealthCheck } from './records.ts';
import { afterCheck } from './target-health.ts';

let test: TestAws;
let ec2: EC2Client;
let elb: ElasticLoadBalancingV2Client;
let SubnetId: string;
let TargetGroupArn: string;
let LoadBalancerArn: string;
beforeEach(async () => {
  test = await startTestAws({ elbTimeScale: 1 });
  ec2 = new EC2Client(test.client);
  elb = new ElasticLoadBalancingV2Client(test.client);
  const { Subnets: found = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  SubnetId = found[0]?.SubnetId ?? '';
  const group = { Name: 'group', Protocol: 'TCP', Port: 6443, VpcId: found[0]?.VpcId } as const;
  const made = await elb.send(new CreateTargetGroupCommand({ ...group, HealthCheckIntervalSeconds: 10 }));
  TargetGroupArn = made.TargetGroups?.[0]?.TargetGroupArn ?? '';
  const balancer = new CreateLoadBalancerCommand({ Name: 'lb', Type: 'network', Subnets: [SubnetId] });
  LoadBalancerArn = (await elb.send(balancer)).LoadBalancers?.[0]?.LoadBalancerArn ?? '';
});
afterEach(async () => {
  ec2.destroy();
  elb.destroy();
  await test.aws.close();
});

const runOne = async (): Promise<string> => {
  const { Images = [] } = await ec2.send(
    new DescribeImagesCommand({
      Filters: [
        { Name: 'name', Values: ['capa-ami-ubuntu-24.04-v1.34.0-*'] },
        { Name: 'architecture', Values: ['x86_64'] },
      ],
    }),
  );
  const input = { ImageId: Images[0]?.ImageId, SubnetId, InstanceType: 't3.large', MinCount: 1, MaxCount: 1 } as const;
  return (await ec2.send(new RunInstancesCommand(input))).Instances?.[0]?.InstanceId ?? '';
};
const register = (Id: string) => elb.send(new RegisterTargetsCommand({ TargetGroupArn, Targets: [{ Id }] }));
const deregister = (Id: string) => elb.send(new DeregisterTargetsCommand({ TargetGroupArn, Targets: [{ Id }] }));
const listen = () =>
  elb.send(
    new CreateListenerCommand({
      LoadBalancerArn,
      Protocol: 'TCP',
      Port: 6443,
      DefaultActions: [{ Type: 'forward', TargetGroupArn }],
    }),
  );
const healthOf = async (...ids: string[]) => {
  const Targets = ids.map((Id) => ({ Id }));
  const { TargetHealthDescriptions = [] } = await elb.send(
    new DescribeTargetHealthCommand({ TargetGroupArn, Targets }),
  );
  return TargetHealthDescriptions.map(({ TargetHealth }) => [TargetHealth?.State, TargetHealth?.Reason]);
};

it('registers only running instances of its VPC', async () => {
  const id = await runOne();

  await expect(register(id)).rejects.toMatchObject({
    name: 'InvalidTargetException',
    message: `The following targets are not in a running state and cannot be registered: '${id}'`,
  });
  expect(await codeOf(register('i-0123456789abcdef0'))).toBe('InvalidTargetException');
  test.clock.advance(300);
  await register(id);
  await register(id);
  expect(await healthOf()).toEqual([['unused', 'Target.NotInUse']]);
});

it('changes from initial to healthy if a machine answers, and to unhealthy if none does', async () => {
  const [one, two] = [await runOne(), await runOne()];
  test.clock.advance(300);
  await register(one);
  await register(two);
  await listen();

  expect(await healthOf()).toEqual([
    ['initial', 'Elb.RegistrationInProgress'],
    ['initial', 'Elb.RegistrationInProgress'],
  ]);
  test.clock.advance(500);
  test.dataPlane.serve(one, 6443, { host: '127.0.0.1', port: 1 });
  expect(await healthOf()).toEqual([
    ['healthy', undefined],
    ['initial', 'Elb.InitialHealthChecking'],
  ]);
  test.clock.advance(20_000);
  expect(await healthOf(two)).toEqual([['unhealthy', 'Target.FailedHealthChecks']]);
});

it('drains a target for the configured delay, and accepts it when it is registered again', async () => {
  const id = await runOne();
  test.clock.advance(300);
  await register(id);
  await listen();
  test.clock.advance(500);
  await deregister(id);

  expect(await healthOf()).toEqual([['draining', 'Target.DeregistrationInProgress']]);
  await register(id);
  expect(await healthOf()).toEqual([['initial', 'Elb.InitialHealthChecking']]);
  await deregister(id);
  test.clock.advance(300_000);
  expect(await healthOf()).toEqual([]);
  expect(await healthOf(id)).toEqual([['unused', 'Target.NotRegistered']]);
  await deregister(id);
});

it('does not use a target whose instance no longer exists', async () => {
  const id = await runOne();
  test.clock.advance(300);
  await register(id);
  await listen();
  await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  test.clock.advance(500);

  expect(await healthOf()).toEqual([['unused', 'Target.InvalidState']]);
});

it('changes health only after as many consecutive checks as the threshold', () => {
  const check = { healthyThreshold: 2, unhealthyThreshold: 3 } as HealthCheck;
  let target = { health: 'initial', streak: { passed: false, count: 0 } } as ReturnType<typeof afterCheck>;
  const after = (passed: boolean) => {
    target = afterCheck(target, passed, check);
    return target.health;
  };

  expect([true, false, true, true].map(after)).toEqual(['initial', 'initial', 'initial', 'healthy']);
  expect([false, false, true, false, false, false].map(after)).toEqual([
    'healthy',
    'healthy',
    'healthy',
    'healthy',
    'healthy',
    'unhealthy',
  ]);
});
