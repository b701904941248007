import {
  CopyImageCommand,
  DeregisterImageCommand,
  DescribeImagesCommand,
  type DescribeImagesCommandInput,
  DescribeVolumesCommand,
  DisableImageCommand,
  EnableImageCommand,
  EnableImageDeprecationCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, expect, it } from 'vitest';
import { codeOf } from '../../../test-aws.ts';
import { instanceCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({ instanceStartMilliseconds: 300, imageCopyMilliseconds: 1000 });
const { run, runOne, imagesNamed, subnetId } = instanceCalls(account);
beforeEach(async () => {
  await subnetId();
});

const NAME = 'capa-ami-ubuntu-24.04-v1.34.0-*';
const FAR = '2099-01-01T00:00:00.000Z';
const PAST = '2020-01-01T00:00:00.000Z';

const described = async (input: DescribeImagesCommandInput) =>
  (await account.ec2.send(new DescribeImagesCommand(input))).Images ?? [];
const named = (input: DescribeImagesCommandInput = {}) =>
  described({ Filters: [{ Name: 'name', Values: [NAME] }], ...input });
const publish = (note: { deprecatedAt?: string; isWithdrawn?: boolean }) =>
  account.test.account.settings.publishedImages.push({ name: 'capa-ami-*-v1.34.*', ...note });

const copy = async (change: object = {}): Promise<string> => {
  const [source] = await imagesNamed(NAME);
  const input = { Name: 'mine-v1.34.0', SourceImageId: source?.ImageId, SourceRegion: 'us-east-1', ...change };
  return (await account.ec2.send(new CopyImageCommand(input))).ImageId ?? '';
};
const copied = async (change: object = {}): Promise<string> => {
  const id = await copy(change);
  account.test.clock.advance(1000);
  return id;
};

it('deprecates a public image two years after its creation', async () => {
  const [image] = await named({ IncludeDeprecated: true });

  const years =
    new Date(image?.DeprecationTime ?? '').getUTCFullYear() - new Date(image?.CreationDate ?? '').getUTCFullYear();
  expect(years).toBe(2);
});

it('lists a deprecated image only on request or by its id', async () => {
  publish({ deprecatedAt: PAST });

  const [image] = await named({ IncludeDeprecated: true });
  expect(await named()).toEqual([]);
  expect(image).toMatchObject({ State: 'available', DeprecationTime: PAST });
  expect(await described({ ImageIds: [image?.ImageId ?? ''] })).toMatchObject([{ DeprecationTime: PAST }]);
  await expect(runOne({ ImageId: image?.ImageId })).resolves.toMatch(/^i-/);
});

it('no longer finds an image once its publisher has withdrawn it', async () => {
  publish({ deprecatedAt: FAR });
  const ImageId = (await named())[0]?.ImageId ?? '';
  publish({ isWithdrawn: true });

  expect(await named({ IncludeDeprecated: true })).toEqual([]);
  expect(await codeOf(described({ ImageIds: [ImageId] }))).toBe('InvalidAMIID.NotFound');
  expect(await codeOf(run({ ImageId }))).toBe('InvalidAMIID.NotFound');
});

it('answers with an empty list for the id of a withdrawn image from which an instance was launched', async () => {
  publish({ deprecatedAt: FAR });
  const ImageId = (await named())[0]?.ImageId ?? '';
  await runOne({ ImageId });
  publish({ isWithdrawn: true });

  expect(await described({ ImageIds: [ImageId] })).toEqual([]);
});

it('copies an image into the account in some time, encrypted if requested', async () => {
  const id = await copy({ Encrypted: true });

  expect(await codeOf(run({ ImageId: id }))).toBe('InvalidAMIID.Unavailable');
  expect(await described({ Owners: ['self'] })).toMatchObject([{ ImageId: id, State: 'pending', Public: false }]);
  account.test.clock.advance(1000);
  expect(await described({ Owners: ['self'] })).toMatchObject([{ Name: 'mine-v1.34.0', State: 'available' }]);
  const instance = await runOne({ ImageId: id });
  const Filters = [{ Name: 'attachment.instance-id', Values: [instance] }];
  expect((await account.ec2.send(new DescribeVolumesCommand({ Filters }))).Volumes).toMatchObject([
    { Encrypted: true },
  ]);
  expect(await codeOf(copy())).toBe('InvalidAMIName.Duplicate');
});

it('lists a deprecated image for its owner in every case', async () => {
  const ImageId = await copied();
  await account.ec2.send(
    new EnableImageDeprecationCommand({ ImageId, DeprecateAt: new Date(account.test.clock.now().getTime() + 60_000) }),
  );
  account.test.clock.advance(120_000);

  expect(await described({ Owners: ['self'] })).toHaveLength(1);
});

it('launches nothing from a disabled or deregistered image', async () => {
  const ImageId = await copied();

  await account.ec2.send(new DisableImageCommand({ ImageId }));
  expect(await codeOf(run({ ImageId }))).toBe('InvalidAMIID.Unavailable');
  expect(await described({ Owners: ['self'] })).toEqual([]);
  expect(await described({ Owners: ['self'], IncludeDisabled: true })).toMatchObject([{ State: 'disabled' }]);
  await account.ec2.send(new EnableImageCommand({ ImageId }));
  await expect(runOne({ ImageId })).resolves.toMatch(/^i-/);
  await account.ec2.send(new DeregisterImageCommand({ ImageId }));
  expect(await codeOf(run({ ImageId }))).toBe('InvalidAMIID.NotFound');
});

it("changes only the account's own images", async () => {
  const [published] = await imagesNamed(NAME);

  expect(await codeOf(account.ec2.send(new DisableImageCommand({ ImageId: published?.ImageId })))).toBe('AuthFailure');
});

it('answers in pages if requested, but never for ids', async () => {
  const all = await described({ Owners: ['819546954734'] });
  const first = await account.ec2.send(new DescribeImagesCommand({ Owners: ['819546954734'], MaxResults: 5 }));
  const { NextToken } = first;
  const next = await account.ec2.send(
    new DescribeImagesCommand({ Owners: ['819546954734'], MaxResults: 5, NextToken }),
  );
  expect([...(first.Images ?? []), ...(next.Images ?? [])]).toEqual(all.slice(0, 10));
  const ids = { ImageIds: [all[0]?.ImageId ?? ''], MaxResults: 5 };
  expect(await codeOf(account.ec2.send(new DescribeImagesCommand(ids)))).toBe('InvalidParameterCombination');
});
