import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeNetworkInterfacesCommand,
  DetachInternetGatewayCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import {
  AddTagsCommand,
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  type CreateLoadBalancerCommandInput,
  CreateTargetGroupCommand,
  type CreateTargetGroupCommandInput,
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DescribeListenersCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupsCommand,
  ElasticLoadBalancingV2Client,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';

let test: TestAws;
let ec2: EC2Client;
let elb: ElasticLoadBalancingV2Client;
let VpcId: string;
let InternetGatewayId: string;
let Subnets: string[];
beforeEach(async () => {
  test = await startTestAws({ loadBalancerMilliseconds: 500, loadBalancerReleaseMilliseconds: 200 });
  ec2 = new EC2Client(test.client);
  elb = new ElasticLoadBalancingV2Client(test.client);
  VpcId = (await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))).Vpc?.VpcId ?? '';
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  InternetGatewayId = InternetGateway?.InternetGatewayId ?? '';
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }));
  Subnets = [await newSubnet('10.0.0.0/24', 'us-east-1a'), await newSubnet('10.0.1.0/24', 'us-east-1b')];
});
afterEach(async () => {
  ec2.destroy();
  elb.destroy();
  await test.aws.close();
});

const newSubnet = async (CidrBlock: string, AvailabilityZone: string): Promise<string> =>
  (await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }))).Subnet?.SubnetId ?? '';
const create = async (more: Partial<CreateLoadBalancerCommandInput> = {}) => {
  const input = { Name: 'default-one-apiserver', Type: 'network', Subnets, ...more } as const;
  return (await elb.send(new CreateLoadBalancerCommand(input))).LoadBalancers?.[0];
};
const newGroup = async (more: Partial<CreateTargetGroupCommandInput> = {}): Promise<string> => {
  const input = { Name: 'apiserver-target-abcde', Protocol: 'TCP', Port: 6443, VpcId, ...more } as const;
  return (await elb.send(new CreateTargetGroupCommand(input))).TargetGroups?.[0]?.TargetGroupArn ?? '';
};
const listen = (LoadBalancerArn: string | undefined, TargetGroupArn: string, Port = 6443) =>
  elb.send(
    new CreateListenerCommand({
      LoadBalancerArn,
      Protocol: 'TCP',
      Port,
      DefaultActions: [{ Type: 'forward', TargetGroupArn }],
    }),
  );
const stateOf = async (arn: string | undefined) => {
  const found = await elb.send(new DescribeLoadBalancersCommand({ LoadBalancerArns: [arn ?? ''] }));
  return found.LoadBalancers?.[0]?.State?.Code;
};

describe('a load balancer', () => {
  it('has its own address, and becomes active after some time', async () => {
    const one = await create();
    const two = await create({ Name: 'default-two-apiserver' });

    expect(one?.LoadBalancerArn).toMatch(
      /^arn:aws:elasticloadbalancing:us-east-1:000000000000:loadbalancer\/net\/default-one-apiserver\/[0-9a-f]{16}$/,
    );
    expect(one).toMatchObject({ Scheme: 'internet-facing', VpcId, State: { Code: 'provisioning' } });
    expect(one?.DNSName).toMatch(/^127\.(?!0\.)\d+\.\d+\.\d+$/);
    expect(two?.DNSName).not.toBe(one?.DNSName);
    test.clock.advance(500);
    expect(await stateOf(one?.LoadBalancerArn)).toBe('active');
  });

  it('is created once for a name with the same settings', async () => {
    const one = await create();

    expect((await create())?.LoadBalancerArn).toBe(one?.LoadBalancerArn);
    expect(await codeOf(create({ Scheme: 'internal' }))).toBe('DuplicateLoadBalancerNameException');
  });

  it('is refused with invalid names or places, or beyond quotas', async () => {
    const neighbour = await newSubnet('10.0.2.0/24', 'us-east-1a');
    const refused = async (more: Partial<CreateLoadBalancerCommandInput>) => codeOf(create({ Name: 'x', ...more }));

    expect(await refused({ Name: 'x'.repeat(33) })).toBe('ValidationError');
    expect(await refused({ Name: '-x' })).toBe('ValidationError');
    expect(await refused({ Name: 'internal-x' })).toBe('ValidationError');
    expect(await refused({ Subnets: [] })).toBe('ValidationError');
    expect(await refused({ Subnets: ['subnet-0123456789abcdef0'] })).toBe('SubnetNotFoundException');
    expect(await refused({ Subnets: [...Subnets, neighbour] })).toBe('InvalidConfigurationRequestException');
    expect(await refused({ SecurityGroups: ['sg-0123456789abcdef0'] })).toBe('InvalidSecurityGroupException');
    expect(await refused({ IpAddressType: 'dualstack' })).toBe('InvalidConfigurationRequestException');
    expect(await refused({ Type: 'application' })).toBe('NotSimulated');
    test.account.settings.elbQuotas.networkLoadBalancers = 0;
    expect(await refused({})).toBe('TooManyLoadBalancersException');
    await ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
    expect(await refused({})).toBe('InvalidSubnetException');
  });

  it('must leave a zone before it can get another subnet in the zone', async () => {
    const LoadBalancerArn = (await create())?.LoadBalancerArn;
    const [, second = ''] = Subnets;
    const other = await newSubnet('10.0.2.0/24', 'us-east-1a');
    const set = (...ids: string[]) => elb.send(new SetSubnetsCommand({ LoadBalancerArn, Subnets: ids }));

    expect(await codeOf(set(other, second))).toBe('InvalidConfigurationRequestException');
    await set(second);
    await set(other, second);
  });

  it('keeps its subnets, groups and gateway in use until it is deleted', async () => {
    const group = new CreateSecurityGroupCommand({ GroupName: 'apiserver-lb', Description: 'x', VpcId });
    const GroupId = (await ec2.send(group)).GroupId ?? '';
    const LoadBalancerArn = (await create({ SecurityGroups: [GroupId] }))?.LoadBalancerArn;
    const { NetworkInterfaces } = await ec2.send(new DescribeNetworkInterfacesCommand({}));
    const held = async () => [
      await codeOf(ec2.send(new DeleteSubnetCommand({ SubnetId: Subnets[0] }))),
      await codeOf(ec2.send(new DeleteSecurityGroupCommand({ GroupId }))),
      await codeOf(ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }))),
    ];

    expect(NetworkInterfaces?.map(({ Description }) => Description)).toEqual([
      `ELB ${LoadBalancerArn?.split('loadbalancer/')[1]}`,
      `ELB ${LoadBalancerArn?.split('loadbalancer/')[1]}`,
    ]);
    expect(await held()).toEqual(['DependencyViolation', 'DependencyViolation', 'DependencyViolation']);
    await elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
    expect(await held()).toEqual(['DependencyViolation', 'DependencyViolation', 'DependencyViolation']);
    test.clock.advance(200);
    await ec2.send(new DeleteSubnetCommand({ SubnetId: Subnets[0] }));
    await ec2.send(new DeleteSecurityGroupCommand({ GroupId }));
    await ec2.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }));
  });

  it('can be deleted repeatedly, unless it is protected', async () => {
    const LoadBalancerArn = (await create())?.LoadBalancerArn;
    const remove = () => elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
    const protect = (Value: string) => {
      const Attributes = [{ Key: 'deletion_protection.enabled', Value }];
      return elb.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn, Attributes }));
    };

    await protect('true');
    expect(await codeOf(remove())).toBe('OperationNotPermittedException');
    await protect('false');
    await remove();
    await remove();
    expect(await codeOf(stateOf(LoadBalancerArn))).toBe('LoadBalancerNotFoundException');
    expect(await codeOf(elb.send(new DescribeLoadBalancersCommand({ Names: ['x'] })))).toBe(
      'LoadBalancerNotFoundException',
    );
  });

  it('has attributes and tags', async () => {
    const LoadBalancerArn = (await create({ Tags: [{ Key: 'a', Value: '1' }] }))?.LoadBalancerArn ?? '';
    const Attributes = [{ Key: 'load_balancing.cross_zone.enabled', Value: 'true' }];
    await elb.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn, Attributes }));
    await elb.send(new AddTagsCommand({ ResourceArns: [LoadBalancerArn], Tags: [{ Key: 'b', Value: '2' }] }));

    const attributes = await elb.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn }));
    const tags = await elb.send(new DescribeTagsCommand({ ResourceArns: [LoadBalancerArn] }));

    expect(attributes.Attributes).toContainEqual(Attributes[0]);
    expect(tags.TagDescriptions?.[0]?.Tags).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ]);
    const unknown = { LoadBalancerArn, Attributes: [{ Key: 'colour', Value: 'red' }] };
    expect(await codeOf(elb.send(new ModifyLoadBalancerAttributesCommand(unknown)))).toBe(
      'InvalidConfigurationRequestException',
    );
  });

  it('can get security groups later only if it had some from the start', async () => {
    const group = new CreateSecurityGroupCommand({ GroupName: 'apiserver-lb', Description: 'x', VpcId });
    const GroupId = (await ec2.send(group)).GroupId ?? '';
    const without = (await create())?.LoadBalancerArn;
    const having = (await create({ Name: 'two', SecurityGroups: [GroupId] }))?.LoadBalancerArn;
    const set = (LoadBalancerArn: string | undefined, SecurityGroups: string[]) =>
      elb.send(new SetSecurityGroupsCommand({ LoadBalancerArn, SecurityGroups }));

    expect(await codeOf(set(without, [GroupId]))).toBe('InvalidConfigurationRequestException');
    expect((await set(having, [])).SecurityGroupIds).toEqual([]);
  });
});

describe('a target group', () => {
  it('keeps its health check, and is created once for a name with the same settings', async () => {
    const health = {
      HealthCheckProtocol: 'HTTPS',
      HealthCheckPath: '/readyz',
      HealthCheckIntervalSeconds: 5,
      HealthCheckTimeoutSeconds: 4,
      HealthyThresholdCount: 2,
      UnhealthyThresholdCount: 6,
    } as const;
    const arn = await newGroup(health);

    expect(await newGroup(health)).toBe(arn);
    expect(await codeOf(newGroup())).toBe('DuplicateTargetGroupNameException');
    const found = await elb.send(new DescribeTargetGroupsCommand({ TargetGroupArns: [arn] }));
    expect(found.TargetGroups?.[0]).toMatchObject({ ...health, Port: 6443, Matcher: { HttpCode: '200-399' } });
    const changed = await elb.send(new ModifyTargetGroupCommand({ TargetGroupArn: arn, HealthyThresholdCount: 3 }));
    expect(changed.TargetGroups?.[0]).toMatchObject({ ...health, HealthyThresholdCount: 3 });
  });

  it('is refused with unsupported values', async () => {
    expect(await codeOf(newGroup({ HealthCheckIntervalSeconds: 1 }))).toBe('ValidationError');
    expect(await codeOf(newGroup({ HealthCheckIntervalSeconds: 10, HealthCheckTimeoutSeconds: 11 }))).toBe(
      'ValidationError',
    );
    expect(await codeOf(newGroup({ HealthCheckProtocol: 'TCP', HealthCheckPath: '/' }))).toBe('ValidationError');
    expect(await codeOf(newGroup({ Name: 'under_score' }))).toBe('ValidationError');
    expect(await codeOf(newGroup({ VpcId: 'vpc-0123456789abcdef0' }))).toBe('ValidationError');
    expect(await codeOf(newGroup({ Protocol: 'TCP_UDP' }))).toBe('NotSimulated');
  });

  it('cannot be deleted while a listener forwards to it', async () => {
    const { LoadBalancerArn } = (await create()) ?? {};
    const TargetGroupArn = await newGroup();
    const { Listeners = [] } = await listen(LoadBalancerArn, TargetGroupArn);
    const remove = () => elb.send(new DeleteTargetGroupCommand({ TargetGroupArn }));

    expect(await codeOf(remove())).toBe('ResourceInUseException');
    const used = await elb.send(new DescribeTargetGroupsCommand({ LoadBalancerArn }));
    expect(used.TargetGroups?.[0]?.LoadBalancerArns).toEqual([LoadBalancerArn]);
    await elb.send(new DeleteListenerCommand({ ListenerArn: Listeners[0]?.ListenerArn }));
    await remove();
    await remove();
    const Attributes = [{ Key: 'preserve_client_ip.enabled', Value: 'false' }];
    const modify = elb.send(new ModifyTargetGroupAttributesCommand({ TargetGroupArn, Attributes }));
    expect(await codeOf(modify)).toBe('TargetGroupNotFoundException');
  });
});

describe('a listener', () => {
  it('can forward to an IPv6 target group only from a dual-stack load balancer', async () => {
    const group = await newGroup({ IpAddressType: 'ipv6' });
    const arn = (await create())?.LoadBalancerArn;

    expect(await codeOf(listen(arn, group))).toBe('InvalidConfigurationRequestException');
  });

  it('is the only one on its port, and its target group belongs to one load balancer', async () => {
    const one = (await create())?.LoadBalancerArn;
    const two = (await create({ Name: 'two' }))?.LoadBalancerArn;
    const [group, other] = [await newGroup(), await newGroup({ Name: 'other' })];
    const first = await listen(one, group);

    expect((await listen(one, group)).Listeners).toEqual(first.Listeners);
    expect(await codeOf(listen(one, other))).toBe('DuplicateListenerException');
    expect(await codeOf(listen(two, group))).toBe('TargetGroupAssociationLimitException');
    expect(await codeOf(listen('arn:none', group))).toBe('LoadBalancerNotFoundException');
    await listen(one, other, 443);
    const { Listeners = [] } = await elb.send(new DescribeListenersCommand({ LoadBalancerArn: one }));
    expect(Listeners.map(({ Port, DefaultActions }) => [Port, DefaultActions?.[0]?.TargetGroupArn])).toEqual([
      [6443, group],
      [443, other],
    ]);
  });

  it('is deleted with its load balancer', async () => {
    const LoadBalancerArn = (await create())?.LoadBalancerArn;
    const { Listeners = [] } = await listen(LoadBalancerArn, await newGroup());
    await elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));

    const ListenerArn = Listeners[0]?.ListenerArn ?? '';
    expect(await codeOf(elb.send(new DescribeListenersCommand({ ListenerArns: [ListenerArn] })))).toBe(
      'ListenerNotFoundException',
    );
    expect(await codeOf(elb.send(new DeleteListenerCommand({ ListenerArn })))).toBe('ListenerNotFoundException');
  });
});
