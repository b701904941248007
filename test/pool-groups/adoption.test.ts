import { CreateAutoScalingGroupCommand, DescribeInstanceRefreshesCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplatesCommand,
} from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
afterEach(() => world?.close());

const start = async (spec: object = {}): Promise<void> => {
  world = await startPoolWorld(spec);
};

/** The launch template of a group, or its types without one in the template. */
const launchSource = (name: string, overrides: readonly string[]) => {
  const template = { LaunchTemplateName: name, Version: '$Latest' };
  if (overrides.length === 0) return { LaunchTemplate: template };
  const Overrides = overrides.map((InstanceType) => ({ InstanceType }));
  return { MixedInstancesPolicy: { LaunchTemplate: { LaunchTemplateSpecification: template, Overrides } } };
};

const refreshes = async () => {
  const { AutoScalingGroupName } = (await world.group()) ?? {};
  const found = await world.autoScaling.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }));
  return found.InstanceRefreshes ?? [];
};

const changes = (calls: readonly string[]): string[] =>
  calls.filter((call) => !call.includes(':Describe')).map((call) => call.replace(/^.*:/, ''));

describe('an existing group with the name of the pool', () => {
  const listOf = (tags: Record<string, string>) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

  const makeTemplate = async (
    name: string,
    tags: Record<string, string>,
    { type }: { type?: 't3.large' | 'm5.large' } = { type: 't3.large' },
  ) => {
    const Filters = [{ Name: 'name', Values: ['capa-ami-ubuntu-24.04-?1.34.0-*'] }];
    const { Images = [] } = await world.ec2.send(new DescribeImagesCommand({ Filters }));
    const newest = [...Images]
      .filter(({ Architecture }) => Architecture === 'x86_64')
      .sort((a, b) => ((a.CreationDate ?? '') < (b.CreationDate ?? '') ? 1 : -1))[0];
    const cluster = await world.objects.get(kinds.awsCluster, { namespace: 'default', name: 'red' });
    const group = cluster?.status?.networkStatus?.securityGroups?.node?.id ?? '';
    const Tags = listOf(tags);
    const secret = { Key: 'sigs.k8s.io/cluster-api-provider-aws/bootstrap-data-secret', Value: 'default/pool-0' };
    await world.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: name,
        LaunchTemplateData: {
          ...{
            ImageId: newest?.ImageId,
            ...(type ? { InstanceType: type } : {}),
            SecurityGroupIds: [group],
            UserData: 'eA==',
          },
          TagSpecifications: [{ ResourceType: 'instance', Tags: [...Tags, secret] }],
        },
        TagSpecifications: [{ ResourceType: 'launch-template', Tags }],
      }),
    );
  };

  const makeGroup = async (name: string, tags: Record<string, string>, overrides: readonly string[] = []) => {
    const cluster = await world.objects.get(kinds.awsCluster, { namespace: 'default', name: 'red' });
    await world.autoScaling.send(
      new CreateAutoScalingGroupCommand({
        ...{ AutoScalingGroupName: name, MinSize: 0, MaxSize: 5, DesiredCapacity: 2 },
        ...launchSource(name, overrides),
        VPCZoneIdentifier: (cluster?.spec.network?.subnets ?? []).map(({ id }) => id).join(','),
        Tags: listOf(tags).map((tag) => ({ ...tag, ResourceId: name, ResourceType: 'auto-scaling-group' })),
      }),
    );
    await world.pass(60);
  };

  const makeTheirs = async (
    name: string,
    tags: Record<string, string>,
    source: { type?: 't3.large' | 'm5.large'; overrides?: readonly string[] } = { type: 't3.large' },
  ) => {
    await makeTemplate(name, tags, source);
    await makeGroup(name, tags, source.overrides);
  };

  const templateNames = async () => {
    const { LaunchTemplates = [] } = await world.ec2.send(new DescribeLaunchTemplatesCommand({}));
    return LaunchTemplates.map(({ LaunchTemplateName }) => LaunchTemplateName);
  };

  const OWNED = { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned', Name: 'pool-0' };

  it('that the AWS provider created for this cluster is adopted, and its instances stay', async () => {
    await start();
    await makeTheirs('pool-0', OWNED);
    const before = (await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort();
    expect(before).toHaveLength(2);
    expect(await world.settle()).toMatchObject({ progress: 'done' });
    const events = (await world.objects.list(kinds.event, 'default')).filter(
      ({ reason }) => reason === 'GroupTakenOver',
    );
    expect(events.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^Took over Auto Scaling group pool-0 with 2 instances and launch template pool-0 \(lt-\w+\)$/,
      ),
    ]);
    expect(await templateNames()).toEqual(['pool-0']);
    expect(await refreshes()).toEqual([]);
    expect((await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort()).toEqual(before);
    expect((await world.machines()).map(({ spec }) => spec.instanceID).sort()).toEqual(before);
    await world.remove();
    expect(await world.group()).toBeUndefined();
    expect(await templateNames()).toEqual([]);
  });

  it('that the AWS provider created is deleted with its template, even if the pool was never checked', async () => {
    await start();
    await makeTheirs('pool-0', OWNED);
    await world.remove();
    expect(await world.group()).toBeUndefined();
    expect(await templateNames()).toEqual([]);
  });

  const MOVED = { ...OWNED, 'windlass.dev/cluster': 'other/red', 'windlass.dev/machine-pool': 'other/pool-0' };

  it.each(['pool-0', 'default.pool-0'])(
    'that a cluster of the same name elsewhere has taken over as %s keeps its template',
    async (name) => {
      await start();
      await makeTemplate(name, OWNED);
      await makeGroup(name, MOVED);
      await world.settle();
      await world.remove();
      expect(await world.group(name)).toBeDefined();
      expect(await templateNames()).toEqual([name]);
    },
  );

  it('may be missing: a template of the AWS provider that the pool has not taken over stays', async () => {
    await start();
    await makeTemplate('pool-0', OWNED);
    await world.remove();
    expect(await templateNames()).toEqual(['pool-0']);
  });

  it('keeps its instances if their types are only overrides, also in another order', async () => {
    const mixed = (...types: string[]) => ({ overrides: types.map((instanceType) => ({ instanceType })) });
    await start({ awsLaunchTemplate: {}, mixedInstancesPolicy: mixed('t3.large', 'm5.large') });
    await makeTheirs('pool-0', OWNED, { overrides: ['t3.large', 'm5.large'] });
    const ids = async () => (await world.group())?.Instances?.map(({ InstanceId }) => InstanceId).sort();
    const before = await ids();
    expect(before).toHaveLength(2);
    expect(await world.settle()).toMatchObject({ progress: 'done' });
    await world.changeInfrastructure({ mixedInstancesPolicy: mixed('m5.large', 't3.large') });
    expect(await world.settle()).toMatchObject({ progress: 'done' });
    expect(await refreshes()).toEqual([]);
    expect(await ids()).toEqual(before);
    const versions = (await world.versions()).map(({ LaunchTemplateData }) => LaunchTemplateData?.InstanceType);
    expect(versions).toEqual([undefined, undefined]);
  });

  it('that was created for this cluster with other settings than the pool gets new instances', async () => {
    await start();
    await makeTheirs('pool-0', OWNED, { type: 'm5.large' });
    await world.settle();
    expect((await world.group())?.Instances?.map(({ InstanceType }) => InstanceType)).toEqual(['t3.large', 't3.large']);
  });

  it.each([
    ['nobody', {}],
    ['another cluster', { 'sigs.k8s.io/cluster-api-provider-aws/cluster/blue': 'owned' }],
    ['a cluster elsewhere', { ...OWNED, 'windlass.dev/cluster': 'other/red' }],
  ])('of %s is neither changed nor deleted', async (_, tags) => {
    await start();
    for (const name of ['default.pool-0', 'pool-0']) await makeTheirs(name, tags);
    const made = async () => {
      await world.settle();
      await world.remove();
    };
    const calls = changes(await world.callsOf(made));
    expect(calls.filter((call) => /^(Update|Delete|Tag|CreateOrUpdate)/.test(call)).sort()).toEqual([]);
  });
});
