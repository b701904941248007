import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { OWNER_TAG, ownershipTag } from '../../shared/providers/aws/tags.ts';
import { inventory, NOTHING, ONE_CLUSTER } from './inventory.ts';
import { askForDeletion, create, nobody, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

describe('the infrastructure of a cluster', () => {
  it('is created in one run, and the second run changes nothing', async () => {
    world = await startWorld();
    const counter = nobody();

    const first = await create(world);
    const version = (await world.awsCluster()).metadata.resourceVersion;
    const second = await create(world, counter);

    expect([first, second]).toEqual([true, true]);
    expect(await inventory(world)).toEqual(ONE_CLUSTER);
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(version);
  });

  it('gets changed additionalTags in one run, and the next run changes nothing', async () => {
    world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 1 } }, additionalTags: { env: 'dev' } });
    await create(world);
    const additionalTags = { env: 'prod' };
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, additionalTags },
    }));

    await create(world);

    const { ec2 } = world;
    const byTag = [{ name: `tag:${ownershipTag(KEY.name)}`, values: ['owned'] }];
    const found = await Promise.all([
      ec2.describeVpcs(byTag),
      ec2.describeInternetGateways(byTag),
      ec2.describeNatGateways(byTag),
    ]);
    expect(found.flat().map(({ tags }) => tags.env)).toEqual(['prod', 'prod', 'prod']);
    const version = (await world.awsCluster()).metadata.resourceVersion;
    await create(world);
    expect((await world.awsCluster()).metadata.resourceVersion).toBe(version);
  });

  it('is deleted together with its AWSCluster', async () => {
    world = await startWorld();
    await create(world);

    await askForDeletion(world);
    await remove(world);

    expect(await inventory(world)).toEqual(NOTHING);
    expect(await world.objects.get(kinds.awsCluster, KEY)).toBeUndefined();
  });
});

const conditionOf = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((condition) => condition.type === type);

const warnings = async () =>
  (await world.objects.list(kinds.event, 'default'))
    .filter(({ type }) => type === 'Warning')
    .map(({ reason, count }) => ({ reason, count }));

describe('a problem that the user has to fix', () => {
  it('is reported once, with a count, if a quota is used up, and the cluster continues when the quota is raised', async () => {
    world = await startWorld();
    // Quotas that are used up beforehand have tests of their own: here another program is faster.
    await world.objects.mutate(kinds.awsCluster, KEY, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { 'windlass.dev/skip-preflight': 'quotas' } },
    }));
    world.account.settings.quotas.vpcs = 1;

    const before = [await create(world), await create(world)];
    const condition = await conditionOf('VpcReady');
    const said = await warnings();
    world.account.settings.quotas.vpcs = 2;
    const after = await create(world);

    expect(before).toEqual([false, false]);
    expect(condition).toMatchObject({ status: 'False', severity: 'Error', reason: 'VpcReconciliationFailed' });
    expect(condition?.message).toMatch(/^VpcLimitExceeded: .*the quota "VPCs per Region" is used up/);
    expect(said).toEqual([{ reason: 'FailedCreateVPC', count: 2 }]);
    expect(after).toBe(true);
    expect(await conditionOf('VpcReady')).toMatchObject({ status: 'True' });
    expect(await inventory(world)).toEqual(ONE_CLUSTER);
  });

  it('is recorded once as a warning if rules for the API may exclude the nodes of a network without NAT gateways', async () => {
    const office = { description: 'office', protocol: 'tcp', fromPort: 6443, toPort: 6443 } as const;
    world = await startWorld({
      network: { subnets: [{ id: 'a', availabilityZone: 'us-east-1a', cidrBlock: '10.0.0.0/24', isPublic: true }] },
      controlPlaneLoadBalancer: { ingressRules: [{ ...office, cidrBlocks: ['203.0.113.0/24'] }] },
    });

    expect([await create(world), await create(world)]).toEqual([true, true]);

    expect(await conditionOf('ClusterSecurityGroupsReady')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('spec.controlPlaneLoadBalancer.ingressRules'),
    });
    expect(await warnings()).toMatchObject([{ reason: 'ClusterSecurityGroupsReadyWarning' }]);
  });
});

describe('a blocked deletion', () => {
  it('names the resource that blocks it, and continues when that resource is gone', async () => {
    world = await startWorld();
    await create(world);
    const [subnet] = (await world.awsCluster()).spec.network?.subnets ?? [];
    const vpcId = (await world.awsCluster()).spec.network?.vpc?.id ?? '';
    const foreign = { vpcId, name: 'mine', description: 'mine', tags: {} };
    const groupId = await world.ec2.createSecurityGroup(foreign);
    await askForDeletion(world);

    await expect(remove(world, { passes: 3 })).rejects.toThrow('not deleted after 3 passes');
    const condition = await conditionOf('VpcReady');
    world.clock.advance(1000);
    await expect(remove(world, { passes: 1 })).rejects.toThrow('not deleted after 1 passes');
    const late = await conditionOf('VpcReady');
    await world.ec2.deleteSecurityGroup(groupId);
    await remove(world);

    expect(subnet?.resourceID).toMatch(/^subnet-/);
    expect(condition).toMatchObject({ status: 'False', reason: 'Deleting' });
    expect(condition?.message).toContain(`security group ${groupId} (mine), which does not belong to the cluster`);
    expect(late).toMatchObject({ reason: 'DeletingFailed', severity: 'Warning' });
    expect(await inventory(world)).toEqual(NOTHING);
  });

  it.each([
    ['Cluster default/blue', { [ownershipTag('blue')]: 'owned', [OWNER_TAG]: 'default/blue' }],
    ['a Cluster of another namespace', { [ownershipTag('red')]: 'owned', [OWNER_TAG]: 'other/red' }],
    ['Cluster blue', { [ownershipTag('blue')]: 'owned' }],
  ])('leaves gateways, routes and addresses to %s, which uses the VPC', async (guest, tags) => {
    world = await startWorld();
    await create(world);
    const whole = await inventory(world);
    const vpcId = (await world.awsCluster()).spec.network?.vpc?.id ?? '';
    const groupId = await world.ec2.createSecurityGroup({ vpcId, name: 'blue-node', description: 'nodes', tags });
    await askForDeletion(world);

    await expect(remove(world, { passes: 3 })).rejects.toThrow('not deleted after 3 passes');
    const left = await inventory(world);
    const condition = await conditionOf('VpcReady');
    await world.ec2.deleteSecurityGroup(groupId);
    await remove(world);

    expect(condition?.message).toBe(`Waiting for ${guest}, which uses this VPC with its gateways and routes`);
    expect(left).toEqual({ ...whole, loadBalancers: 0, targetGroups: 0, securityGroups: 1 });
    expect(await inventory(world)).toEqual(NOTHING);
  });
});
