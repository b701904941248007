/** The rest of a former cluster with the same name, in another VPC: AWS's names are unique in a region. */
import { CreateSubnetCommand, CreateVpcCommand } from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand as CreateClassic } from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settledServices } from '../../shared/plan/services/digest.ts';
import { CLEANUP_FINALIZER } from '../../shared/plan/services/service.ts';
import type { ServiceHealthCheck } from '../../shared/providers/aws/services/health-check.ts';
import { serviceBalancerName, serviceGroupName } from '../../shared/providers/aws/services/names.ts';
import { serviceTags } from '../../shared/providers/aws/services/service-tags.ts';
import { toTagList } from '../../shared/providers/aws/tags.ts';
import { RED } from './account.ts';
import { lookAtBalancers } from './look.ts';
import { lookAtClassics } from './look-classic.ts';
import { aClassic, aService, type ServiceWorld, startServiceWorld } from './world.ts';

let world: ServiceWorld;
let otherVpc: string;
let otherSubnet: string;
beforeEach(async () => {
  world = await startServiceWorld();
  const { Vpc } = await world.ec2.send(new CreateVpcCommand({ CidrBlock: '10.9.0.0/16' }));
  otherVpc = Vpc?.VpcId ?? '';
  const place = { CidrBlock: '10.9.0.0/24', AvailabilityZone: 'us-east-1a', VpcId: otherVpc };
  otherSubnet = (await world.ec2.send(new CreateSubnetCommand(place))).Subnet?.SubnetId ?? '';
});
afterEach(() => world.close());

const Tags = toTagList(serviceTags({ cluster: RED, tags: {} }, aService()));
const CHECK: ServiceHealthCheck = {
  protocol: 'TCP',
  port: 'traffic-port',
  intervalSeconds: 30,
  healthyThreshold: 3,
  unhealthyThreshold: 3,
};
const GROUP = serviceGroupName(RED, aService(), { port: 80, nodePort: 30080, protocol: 'TCP', check: CHECK });

const formerGroup = async (): Promise<string> => {
  const settings = { Name: GROUP, VpcId: otherVpc, Port: 30080, Protocol: 'TCP', Tags } as const;
  const made = await world.elbv2.send(new CreateTargetGroupCommand(settings));
  return made.TargetGroups?.[0]?.TargetGroupArn ?? '';
};

const formerBalancer = async (Name: string): Promise<string> => {
  const command = new CreateLoadBalancerCommand({
    ...{ Type: 'network', Scheme: 'internal', Name, Tags },
    Subnets: [otherSubnet],
  });
  const made = await world.elbv2.send(command);
  return made.LoadBalancers?.[0]?.LoadBalancerArn ?? '';
};

const attach = async (LoadBalancerArn: string, TargetGroupArn: string): Promise<void> => {
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }];
  await world.elbv2.send(new CreateListenerCommand({ LoadBalancerArn, Port: 80, Protocol: 'TCP', DefaultActions }));
};

describe('a target group in another VPC with the name and the tags of one of the Service', () => {
  it('is replaced if nothing uses it', async () => {
    const former = await formerGroup();
    world.state.services = [aService()];

    await world.pass();

    const { balancers, groups } = await lookAtBalancers(world.elbv2);
    expect(groups.map(({ name, targets }) => [name, targets.length])).toEqual([[GROUP, 2]]);
    expect(groups[0]?.arn).not.toBe(former);
    expect(balancers[0]?.listeners).toMatchObject([{ group: GROUP }]);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('is left alone if a load balancer uses it, and the condition names it and both VPCs', async () => {
    const former = await formerGroup();
    await attach(await formerBalancer('another'), former);
    world.state.services = [aService()];

    expect(await world.pass()).toEqual([]);

    expect((await lookAtBalancers(world.elbv2)).groups).toMatchObject([{ arn: former, targets: [] }]);
    const { message } = (await world.condition()) ?? {};
    expect(message).toContain(
      `target group ${GROUP} exists in VPC ${otherVpc}, but the cluster is in ${world.ids.vpc}`,
    );
    expect(settledServices(await world.infrastructure())).toMatch(/-hourly$/);
  });

  it('does not keep a deleted Service', async () => {
    await attach(await formerBalancer('another'), await formerGroup());
    world.state.services = [aService({ isDeleted: true, finalizers: [CLEANUP_FINALIZER] })];
    world.clock.advance(301);

    expect(await world.pass()).toEqual([]);

    expect(world.state.services).toEqual([]);
  });
});

describe('a load balancer in another VPC with the name and the tags of the Service', () => {
  const DELETED = { isDeleted: true, finalizers: [CLEANUP_FINALIZER] };
  const NAME = serviceBalancerName(aService());

  it.each([
    ['network', aService, () => formerBalancer(NAME)],
    [
      'classic',
      (changes = {}) => aClassic({}, changes),
      () =>
        world.elb.send(
          new CreateClassic({
            ...{ LoadBalancerName: NAME, Subnets: [otherSubnet], Scheme: 'internal', Tags },
            Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 80, InstanceProtocol: 'TCP', InstancePort: 30080 }],
          }),
        ),
    ],
  ] as const)('is neither used nor deleted: %s', async (_, service, create) => {
    await create();
    world.state.services = [service()];

    await world.pass();
    const { message } = (await world.condition()) ?? {};
    expect(message).toContain(`load balancer ${NAME} exists in VPC ${otherVpc}`);
    world.state.services = [service(DELETED)];
    await world.pass();

    expect(world.state.services).toEqual([]);
    const { classics } = await lookAtClassics(world.elb, world.ec2);
    const left = [...(await lookAtBalancers(world.elbv2)).balancers, ...classics];
    expect(left.map(({ name }) => name)).toEqual([NAME]);
  });
});
