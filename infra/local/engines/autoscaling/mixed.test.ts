import { UpdateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../test-aws.ts';
import { interruptSpot } from '../ec2/instances/spot.ts';
import { useTestGroups } from './test-autoscaling.ts';

const groups = useTestGroups();
const AutoScalingGroupName = 'pool';
const update = (input: object) =>
  groups.client.send(new UpdateAutoScalingGroupCommand({ AutoScalingGroupName, ...input }));

describe('a mixed instances policy', () => {
  const policy = (distribution: object, ...types: [string, string?][]) => ({
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: '$Latest' },
      Overrides: types.map(([InstanceType, WeightedCapacity]) => ({ InstanceType, WeightedCapacity })),
    },
    InstancesDistribution: distribution,
  });
  const markets = async () => {
    const { Instances = [] } = await groups.group();
    const shown = await Promise.all(Instances.map(({ InstanceId = '' }) => groups.instance(InstanceId)));
    return shown.map(({ InstanceType, InstanceLifecycle }) => `${InstanceType} ${InstanceLifecycle ?? 'on-demand'}`);
  };

  it('launches the base on demand, and a percentage of the rest', async () => {
    const distribution = { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 50 };
    const MixedInstancesPolicy = policy(
      { ...distribution, SpotAllocationStrategy: 'capacity-optimized' },
      ['t3.large'],
      ['m5.large'],
    );
    await groups.create({ DesiredCapacity: 5, MixedInstancesPolicy });
    expect((await markets()).toSorted()).toEqual([
      ...Array(3).fill('t3.large on-demand'),
      ...Array(2).fill('t3.large spot'),
    ]);
    expect((await groups.group()).MixedInstancesPolicy?.InstancesDistribution).toMatchObject({
      ...distribution,
      OnDemandAllocationStrategy: 'prioritized',
    });
  });

  it('rotates among the cheapest pools, and continues with the next type if one has no capacity', async () => {
    const none = { OnDemandPercentageAboveBaseCapacity: 0 };
    await groups.create({
      DesiredCapacity: 3,
      MixedInstancesPolicy: policy(none, ['t3.large'], ['m5.large'], ['c5.large']),
    });
    expect(await markets()).toEqual(['t3.large spot', 'm5.large spot', 't3.large spot']);
    groups.test.account.settings.capacityGaps = [{ instanceType: 't3.large' }, { instanceType: 'm5.large' }];
    await update({ DesiredCapacity: 4 });
    expect((await markets()).at(-1)).toBe('c5.large spot');
  });

  it('considers weights', async () => {
    await groups.create({
      DesiredCapacity: 6,
      MixedInstancesPolicy: policy({}, ['t3.2xlarge', '4'], ['t3.xlarge', '2']),
    });
    const { Instances = [] } = await groups.group();
    expect(Instances.map(({ WeightedCapacity }) => WeightedCapacity)).toEqual(['4', '4']);
  });

  it('keeps the parts that an update does not contain', async () => {
    const distribution = { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 50 };
    await groups.create({ MixedInstancesPolicy: policy(distribution, ['t3.large']) });
    const change = { SpotAllocationStrategy: 'price-capacity-optimized' };
    await update({ MixedInstancesPolicy: { InstancesDistribution: change } });
    const { MixedInstancesPolicy } = await groups.group();
    expect(MixedInstancesPolicy?.LaunchTemplate?.Overrides).toEqual([{ InstanceType: 't3.large' }]);
    expect(MixedInstancesPolicy?.InstancesDistribution).toEqual({
      ...{ ...distribution, ...change },
      OnDemandAllocationStrategy: 'prioritized',
    });
  });

  it('is refused with a template that requests spot instances', async () => {
    await groups.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: 'spot',
        LaunchTemplateData: { InstanceMarketOptions: { MarketType: 'spot' } },
      }),
    );
    const MixedInstancesPolicy = { LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateName: 'spot' } } };
    expect(await codeOf(groups.create({ MixedInstancesPolicy }))).toBe('ValidationError');
  });

  it.each([
    { SpotAllocationStrategy: 'cheapest' },
    { OnDemandPercentageAboveBaseCapacity: 101 },
    { SpotAllocationStrategy: 'capacity-optimized', SpotInstancePools: 3 },
  ])('is refused with %j', async (distribution) => {
    const MixedInstancesPolicy = policy(distribution, ['t3.large']);
    expect(await codeOf(groups.create({ MixedInstancesPolicy }))).toBe('ValidationError');
  });

  it('replaces a spot instance at risk before it is terminated, if the group requests it', async () => {
    const MixedInstancesPolicy = policy({ OnDemandPercentageAboveBaseCapacity: 0 }, ['t3.large']);
    await groups.create({ DesiredCapacity: 1, CapacityRebalance: true, MixedInstancesPolicy });
    await groups.pass(500);
    const [id = ''] = await groups.ids('InService');
    const ec2 = groups.test.account.ec2();
    interruptSpot(ec2, ec2.instances.get(id), 600_000);
    await groups.pass(500);
    expect(await groups.ids()).toHaveLength(2);
    expect(await groups.ids('InService')).toEqual([id]);
    await groups.pass(2_000);
    const after = await groups.ids('InService');
    expect(after).toHaveLength(1);
    expect(after).not.toContain(id);
  });
});
