import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { OWNER_TAG } from '../../shared/providers/aws/tags.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

/** An editor uses another tenant's security group for the load balancers of the API. */

let world: World;
beforeEach(async () => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 1 } } });
  await create(world);
});
afterEach(() => world.close());

const makeGroup = async (name: string, owner: string): Promise<string> => {
  const vpcId = (await world.awsCluster()).spec.network?.vpc?.id ?? '';
  return world.ec2.createSecurityGroup({ vpcId, name, description: 'theirs', tags: { [OWNER_TAG]: owner } });
};
const change = (spec: Partial<AWSCluster['spec']>): Promise<unknown> =>
  world.objects.mutate(kinds.awsCluster, KEY, (current) => ({ ...current, spec: { ...current.spec, ...spec } }));
const problem = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'LoadBalancerReady')?.message;
const groupsInUse = () => [...world.account.elbv2().loadBalancers.values()].flatMap((one) => one.securityGroupIds);

it.each(['controlPlaneLoadBalancer', 'secondaryControlPlaneLoadBalancer'] as const)(
  'spec.%s.additionalSecurityGroups cannot name a group of a cluster in another namespace',
  async (field) => {
    const theirs = await makeGroup('theirs', 'other/red');
    const before = (await world.awsCluster()).spec[field];
    const balancer = field === 'controlPlaneLoadBalancer' ? before : { name: 'red-inside' };
    await change({ [field]: { ...balancer, additionalSecurityGroups: [theirs] } });
    expect(await create(world)).toBe(false);
    expect(await problem()).toBe(
      `spec.${field}.additionalSecurityGroups: ${theirs} belongs to a cluster of another namespace and cannot be used`,
    );
    expect(groupsInUse()).not.toContain(theirs);

    const own = await makeGroup('own', `${KEY.namespace}/blue`);
    await change({ [field]: { ...balancer, additionalSecurityGroups: [own] } });
    expect(await create(world)).toBe(true);
    expect(groupsInUse()).toContain(own);
  },
);
