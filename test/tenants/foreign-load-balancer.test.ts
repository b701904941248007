/** The editor of a namespace gives a cluster's load balancer the name of another tenant's load balancer. */
import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  DescribeLoadBalancersCommand as DescribeClassicCommand,
  RegisterInstancesWithLoadBalancerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DescribeTargetHealthCommand,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makeTargetSteps } from '../../functions/providers/aws/target/steps.ts';
import { createClassicTargets } from '../../shared/providers/aws/api/classic-elb-targets.ts';
import { createTargets } from '../../shared/providers/aws/api/elbv2-targets.ts';
import { buildTags, type Tags, toTagList } from '../../shared/providers/aws/tags.ts';
import type { MachineInput } from '../../shared/work/payloads.ts';
import { type Installation, startInstallation } from './installation.ts';
import { awsClusterOf, awsMachineOf, clusterOf, machineInput, machineOf } from './objects.ts';

let world: Installation;
beforeEach(async () => {
  world = await startInstallation();
});
afterEach(() => world.close());

type Steps = ReturnType<typeof makeTargetSteps>;
const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  Steps['attachEndpoint']
>[1];

const stepsOf = ({ objects, clock, clients }: Installation): Steps =>
  makeTargetSteps({
    ...{ objects, clock, scopeOf: controllerScopeOf },
    targets: () => createTargets(clients.elbv2),
    classicTargets: () => createClassicTargets(clients.elb),
  });

const VICTIM = { namespace: 'victim', name: 'theirs' };
const CONTROL_PLANE = { 'cluster.x-k8s.io/control-plane': '' };
const tagsOf = (cluster: { namespace: string; name: string }): Tags =>
  buildTags({ cluster, name: 'api', role: 'apiserver' });

const placeOf = async () => {
  const { Subnets = [] } = await world.clients.ec2.send(new DescribeSubnetsCommand({}));
  return { subnetId: Subnets[0]?.SubnetId ?? '', vpcId: Subnets[0]?.VpcId ?? '' };
};

/** A network load balancer with one target group, as the installation creates it. */
const makeBalancer = async (Name: string, tags: Tags): Promise<string> => {
  const { elbv2 } = world.clients;
  const { subnetId, vpcId } = await placeOf();
  const Tags = toTagList(tags);
  const { LoadBalancers = [] } = await elbv2.send(
    new CreateLoadBalancerCommand({ Name, Type: 'network', Subnets: [subnetId], ...(Tags.length > 0 ? { Tags } : {}) }),
  );
  const group = { Name: `${Name}-tg`, Protocol: 'TCP', Port: 6443, VpcId: vpcId } as const;
  const { TargetGroups = [] } = await elbv2.send(
    new CreateTargetGroupCommand({ ...group, ...(Tags.length > 0 ? { Tags } : {}) }),
  );
  const TargetGroupArn = TargetGroups[0]?.TargetGroupArn ?? '';
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }];
  const LoadBalancerArn = LoadBalancers[0]?.LoadBalancerArn;
  await elbv2.send(new CreateListenerCommand({ LoadBalancerArn, Protocol: 'TCP', Port: 6443, DefaultActions }));
  return TargetGroupArn;
};

const membersOf = async (TargetGroupArn: string): Promise<(string | undefined)[]> => {
  const { TargetHealthDescriptions = [] } = await world.clients.elbv2.send(
    new DescribeTargetHealthCommand({ TargetGroupArn }),
  );
  return TargetHealthDescriptions.filter(({ TargetHealth }) => TargetHealth?.State !== 'draining').map(
    ({ Target }) => Target?.Id,
  );
};

/** A control plane machine of the editor, behind the load balancer that the editor chooses. */
const plantMachine = async (instanceID: string, loadBalancer: object, cluster = 'mine'): Promise<MachineInput> => {
  const { evil } = world;
  const uid = await world.plant(clusterOf(evil, cluster));
  await world.plant(awsClusterOf(evil, cluster, { controlPlaneLoadBalancer: loadBalancer }));
  const providerID = `aws:///us-east-1a/${instanceID}`;
  const name = `m-${cluster}`;
  await world.plant(awsMachineOf(evil, name, cluster, { instanceID, providerID }, CONTROL_PLANE));
  const machineUid = await world.plant(machineOf(evil, name, cluster, CONTROL_PLANE));
  return machineInput(evil, name, machineUid, { name: cluster, uid });
};

describe('the network load balancer of another tenant', () => {
  it.each([
    ['of a cluster of another name', VICTIM],
    ['of a cluster of the same name', { ...VICTIM, name: 'mine' }],
  ])('%s gets no targets of the editor, and keeps its own', async (_what, owner) => {
    const group = await makeBalancer('theirs', tagsOf(owner));
    const theirs = await world.run({ Name: 'theirs' });
    const Targets = [{ Id: theirs }];
    await world.clients.elbv2.send(new RegisterTargetsCommand({ TargetGroupArn: group, Targets }));
    const own = await world.run({ Name: 'own' });
    const input = await plantMachine(own, { loadBalancerType: 'nlb', name: 'theirs' });
    await expect(stepsOf(world).attachEndpoint(input, context)).rejects.toMatchObject({ name: 'Refused' });
    expect(await membersOf(group)).toEqual([theirs]);

    const stolen = await plantMachine(theirs, { loadBalancerType: 'nlb', name: 'theirs' }, 'again');
    await stepsOf(world).detachEndpoint(stolen, context);
    await stepsOf(world).detachEndpoint(input, context);
    expect(await membersOf(group)).toEqual([theirs]);
  });

  it('that upstream created for a cluster of the same name is not touched before a pass has marked it', async () => {
    const { 'windlass.dev/cluster': _owner, ...upstreams } = tagsOf({ ...VICTIM, name: 'mine' });
    const group = await makeBalancer('theirs', upstreams);
    const own = await world.run({ Name: 'own' });
    const input = await plantMachine(own, { loadBalancerType: 'nlb', name: 'theirs' });
    await expect(stepsOf(world).attachEndpoint(input, context)).rejects.toMatchObject({ name: 'Transient' });
    expect(await membersOf(group)).toEqual([]);
  });
});

describe('the classic load balancer of another tenant', () => {
  it('gets no instances of the editor, and keeps its own', async () => {
    const { elb } = world.clients;
    const { subnetId } = await placeOf();
    const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 6443, InstanceProtocol: 'TCP', InstancePort: 6443 }];
    const LoadBalancerName = 'theirs';
    const Tags = toTagList(tagsOf(VICTIM));
    await elb.send(new CreateClassicCommand({ LoadBalancerName, Listeners, Subnets: [subnetId], Tags }));
    const theirs = await world.run({ Name: 'theirs' });
    const Instances = [{ InstanceId: theirs }];
    await elb.send(new RegisterInstancesWithLoadBalancerCommand({ LoadBalancerName, Instances }));
    const members = async () => {
      const { LoadBalancerDescriptions = [] } = await elb.send(new DescribeClassicCommand({}));
      return LoadBalancerDescriptions[0]?.Instances?.map(({ InstanceId }) => InstanceId);
    };
    const spec = { loadBalancerType: 'classic', name: 'theirs' };
    const input = await plantMachine(await world.run({ Name: 'own' }), spec);
    await expect(stepsOf(world).attachEndpoint(input, context)).rejects.toMatchObject({ name: 'Refused' });
    expect(await members()).toEqual([theirs]);

    await stepsOf(world).detachEndpoint(await plantMachine(theirs, spec, 'again'), context);
    expect(await members()).toEqual([theirs]);
  });
});

describe('a load balancer', () => {
  it.each([
    ['that is of the cluster', (evil: string) => tagsOf({ namespace: evil, name: 'mine' })],
    ['that a user brought, with no cluster’s tags', () => ({})],
  ])('%s gets the machine as a target', async (_what, tags) => {
    const group = await makeBalancer('own', tags(world.evil) as Tags);
    const own = await world.run({ Name: 'own' });
    const input = await plantMachine(own, { loadBalancerType: 'nlb', name: 'own' });
    await stepsOf(world).attachEndpoint(input, context);
    expect(await membersOf(group)).toEqual([own]);
    await stepsOf(world).detachEndpoint(input, context);
    expect(await membersOf(group)).toEqual([]);
  });
});
