import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  CreateTagsCommand,
  DeleteLaunchTemplateCommand,
  DeleteLaunchTemplateVersionsCommand,
  DeleteTagsCommand,
  DescribeInstanceAttributeCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeVolumesCommand,
  GetLaunchTemplateDataCommand,
  ModifyLaunchTemplateCommand,
  type RequestLaunchTemplateData,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../test-aws.ts';
import { instanceCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({});
const { run, subnetId, imagesNamed, instanceOf } = instanceCalls(account);

const userData = (text: string): string => Buffer.from(text).toString('base64');

const create = async (
  LaunchTemplateName: string,
  LaunchTemplateData: RequestLaunchTemplateData = { InstanceType: 't3.large' },
  more: object = {},
) => {
  const command = new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData, ...more });
  return (await account.ec2.send(command)).LaunchTemplate ?? {};
};

const addVersion = async (
  LaunchTemplateName: string,
  LaunchTemplateData: RequestLaunchTemplateData,
  more: object = {},
) => {
  const command = new CreateLaunchTemplateVersionCommand({ LaunchTemplateName, LaunchTemplateData, ...more });
  return (await account.ec2.send(command)).LaunchTemplateVersion ?? {};
};

const versions = async (input: object) => {
  const { LaunchTemplateVersions = [] } = await account.ec2.send(
    new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: 'workers', ...input }),
  );
  return LaunchTemplateVersions.map(({ VersionNumber }) => VersionNumber);
};

describe('a launch template', () => {
  it('has a first version, which is the default and the latest', async () => {
    const made = await create('workers', undefined, {
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: 'team', Value: 'a' }] }],
    });
    expect(made).toMatchObject({
      DefaultVersionNumber: 1,
      LatestVersionNumber: 1,
      Tags: [{ Key: 'team', Value: 'a' }],
    });
    const { LaunchTemplates } = await account.ec2.send(
      new DescribeLaunchTemplatesCommand({ Filters: [{ Name: 'tag:team', Values: ['a'] }] }),
    );
    expect(LaunchTemplates).toEqual([made]);
  });

  it.each([
    ['ab', 'InvalidLaunchTemplateName.MalformedException'],
    ['with space', 'InvalidLaunchTemplateName.MalformedException'],
    ['taken', 'InvalidLaunchTemplateName.AlreadyExistsException'],
  ])('is refused with the name "%s"', async (name, code) => {
    await create('taken');
    expect(await codeOf(create(name))).toBe(code);
  });

  it('is created once for one client token, and refused if the parameters differ', async () => {
    const first = await create('workers', { InstanceType: 't3.large' }, { ClientToken: 'one' });
    const again = await create('workers', { InstanceType: 't3.large' }, { ClientToken: 'one' });
    expect(again.LaunchTemplateId).toBe(first.LaunchTemplateId);
    const other = create('workers', { InstanceType: 't3.small' }, { ClientToken: 'one' });
    expect(await codeOf(other)).toBe('IdempotentParameterMismatch');
  });

  it.each([
    ['user data above 16 KiB', { UserData: userData('x'.repeat(16_385)) }, 'InvalidUserData.Malformed'],
    ['user data that is not base64', { UserData: '%%%' }, 'InvalidUserData.Malformed'],
    ['no parameters', {}, 'MissingParameter'],
    ['options that are not simulated', { HibernationOptions: { Configured: true } }, 'NotSimulated'],
    [
      'tags of a VPC',
      { TagSpecifications: [{ ResourceType: 'vpc' as const, Tags: [{ Key: 'a', Value: 'b' }] }] },
      'InvalidParameterValue',
    ],
  ])('is refused with %s', async (_what, data, code) => {
    expect(await codeOf(create('workers', data))).toBe(code);
  });

  it('cannot be found after its deletion', async () => {
    const { LaunchTemplateId } = await create('workers');
    await account.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: 'workers' }));
    const byId = new DescribeLaunchTemplatesCommand({ LaunchTemplateIds: [LaunchTemplateId ?? ''] });
    const byName = new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: ['workers'] });
    expect(await codeOf(account.ec2.send(byId))).toBe('InvalidLaunchTemplateId.NotFound');
    expect(await codeOf(account.ec2.send(byName))).toBe('InvalidLaunchTemplateName.NotFoundException');
  });
});

describe('versions of a launch template', () => {
  it('inherit values that they do not specify from a source version', async () => {
    await create('workers', { InstanceType: 't3.large', EbsOptimized: true });
    const made = await addVersion('workers', { InstanceType: 't3.small' }, { SourceVersion: '1' });
    expect(made.LaunchTemplateData).toEqual({ InstanceType: 't3.small', EbsOptimized: true });
    const alone = await addVersion('workers', { InstanceType: 't3.small' });
    expect(alone).toMatchObject({
      VersionNumber: 3,
      DefaultVersion: false,
      LaunchTemplateData: { InstanceType: 't3.small' },
    });
  });

  it('are listed from the newest to the oldest, by number, range, $Latest and $Default', async () => {
    await create('workers');
    for (const InstanceType of ['t3.small', 't3.medium', 't3.xlarge'] as const)
      await addVersion('workers', { InstanceType });
    expect(await versions({})).toEqual([4, 3, 2, 1]);
    expect(await versions({ MinVersion: '2', MaxVersion: '3' })).toEqual([3, 2]);
    expect(await versions({ Versions: ['$Latest', '$Default'] })).toEqual([4, 1]);
    expect(await codeOf(versions({ Versions: ['9'] }))).toBe('InvalidLaunchTemplateId.VersionNotFound');
    expect(await versions({ LaunchTemplateName: undefined, Versions: ['$Latest'] })).toEqual([4]);
    expect(await codeOf(versions({ Versions: ['1'], MinVersion: '1' }))).toBe('InvalidParameterCombination');
  });

  it('are listed in pages', async () => {
    await create('workers');
    await addVersion('workers', { InstanceType: 't3.small' });
    const ask = (NextToken?: string) =>
      account.ec2.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName: 'workers', MaxResults: 1, NextToken }),
      );
    const first = await ask();
    expect(first.LaunchTemplateVersions?.[0]?.VersionNumber).toBe(2);
    const second = await ask(first.NextToken);
    expect(second.LaunchTemplateVersions?.[0]?.VersionNumber).toBe(1);
    expect(second.NextToken).toBeUndefined();
  });

  it('can be deleted, except the default, and their numbers are not reused', async () => {
    await create('workers');
    await addVersion('workers', { InstanceType: 't3.small' });
    await account.ec2.send(new ModifyLaunchTemplateCommand({ LaunchTemplateName: 'workers', DefaultVersion: '2' }));
    const answer = await account.ec2.send(
      new DeleteLaunchTemplateVersionsCommand({ LaunchTemplateName: 'workers', Versions: ['1', '2', '7'] }),
    );
    expect(answer.SuccessfullyDeletedLaunchTemplateVersions?.map(({ VersionNumber }) => VersionNumber)).toEqual([1]);
    expect(answer.UnsuccessfullyDeletedLaunchTemplateVersions?.map(({ ResponseError }) => ResponseError?.Code)).toEqual(
      ['unexpectedError', 'launchTemplateVersionDoesNotExist'],
    );
    expect(await versions({})).toEqual([2]);
    expect((await addVersion('workers', { InstanceType: 't3.small' })).VersionNumber).toBe(3);
  });
});

describe('a launch from a template', () => {
  it('uses the template for values that the request omits, and tags the instance', async () => {
    const ImageId = (await imagesNamed('capa-ami-ubuntu-24.04-?1.34.0-*'))[0]?.ImageId;
    const { LaunchTemplateId } = await create('workers', {
      ImageId,
      InstanceType: 't3.small',
      UserData: userData('#!/bin/sh\n'),
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 33, VolumeType: 'gp3' } }],
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: [
            { Key: 'from', Value: 'template' },
            { Key: 'kept', Value: 'yes' },
          ],
        },
        { ResourceType: 'volume', Tags: [{ Key: 'disk', Value: 'yes' }] },
      ],
    });
    const [instance] = await run({
      ImageId: undefined,
      InstanceType: undefined,
      SubnetId: await subnetId(),
      LaunchTemplate: { LaunchTemplateId, Version: '$Latest' },
      TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'from', Value: 'request' }] }],
    });
    expect(instance).toMatchObject({ ImageId, InstanceType: 't3.small' });
    expect(Object.fromEntries((instance?.Tags ?? []).map(({ Key, Value }) => [Key, Value]))).toEqual({
      from: 'request',
      kept: 'yes',
      'aws:ec2launchtemplate:id': LaunchTemplateId,
      'aws:ec2launchtemplate:version': '1',
    });
    const InstanceId = instance?.InstanceId ?? '';
    const { UserData } = await account.ec2.send(
      new DescribeInstanceAttributeCommand({ InstanceId, Attribute: 'userData' }),
    );
    expect(UserData?.Value).toBe(userData('#!/bin/sh\n'));
    const Filters = [{ Name: 'attachment.instance-id', Values: [InstanceId] }];
    const { Volumes } = await account.ec2.send(new DescribeVolumesCommand({ Filters }));
    expect(Volumes?.[0]).toMatchObject({ Size: 33, Tags: [{ Key: 'disk', Value: 'yes' }] });
  });

  it('can be described as template data that launches the same instance', async () => {
    const TagSpecifications = [{ ResourceType: 'instance' as const, Tags: [{ Key: 'team', Value: 'a' }] }];
    const [first] = await run({ UserData: userData('#!/bin/sh\n'), TagSpecifications });
    const { LaunchTemplateData } = await account.ec2.send(
      new GetLaunchTemplateDataCommand({ InstanceId: first?.InstanceId }),
    );
    expect(LaunchTemplateData).toMatchObject({ UserData: userData('#!/bin/sh\n'), TagSpecifications });
    const { ImageId, InstanceType, UserData, NetworkInterfaces } = LaunchTemplateData as RequestLaunchTemplateData;
    await create('again', { ImageId, InstanceType, UserData, NetworkInterfaces });
    const { Instances } = await account.ec2.send(
      new RunInstancesCommand({ MinCount: 1, MaxCount: 1, LaunchTemplate: { LaunchTemplateName: 'again' } }),
    );
    expect(Instances?.[0]).toMatchObject({ ImageId: first?.ImageId, SubnetId: first?.SubnetId });
  });

  it("keeps AWS's own tags if a user tries to remove or change them", async () => {
    await create('workers', { InstanceType: 't3.small' });
    const [instance] = await run({ LaunchTemplate: { LaunchTemplateName: 'workers' } });
    const Resources = [instance?.InstanceId ?? ''];
    await account.ec2.send(new DeleteTagsCommand({ Resources }));
    const Tags = [{ Key: 'aws:ec2launchtemplate:version', Value: '7' }];
    expect(await codeOf(account.ec2.send(new CreateTagsCommand({ Resources, Tags })))).toBe('InvalidParameterValue');
    const after = await instanceOf(Resources[0] ?? '');
    expect(after?.Tags?.find(({ Key }) => Key === 'aws:ec2launchtemplate:version')?.Value).toBe('1');
  });

  it('is refused for a template or a version that does not exist', async () => {
    await create('workers');
    const refused = (LaunchTemplate: object) => codeOf(run({ LaunchTemplate }));
    expect(await refused({ LaunchTemplateName: 'none' })).toBe('InvalidLaunchTemplateName.NotFoundException');
    expect(await refused({ LaunchTemplateId: 'lt-0123456789abcdef0' })).toBe('InvalidLaunchTemplateId.NotFound');
    expect(await refused({ LaunchTemplateId: 'lt-1' })).toBe('InvalidLaunchTemplateId.Malformed');
    expect(await refused({ LaunchTemplateName: 'workers', Version: '4' })).toBe(
      'InvalidLaunchTemplateId.VersionNotFound',
    );
  });
});
