import { type DescribeImagesCommand, EC2Client, type Image } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { findImages } from './ec2-images.ts';

/** Each image is older than the previous one. */
const imageOf = (index: number): Image => ({
  ImageId: `ami-${index}`,
  CreationDate: new Date(Date.UTC(2026, 0, 1) - index * 1000).toISOString(),
  // Of 2500 images, only the last is not deprecated.
  ...(index === 2499 ? {} : { DeprecationTime: '2026-01-01T00:00:00.000Z' }),
});

/** A client for an account with `count` images; each page has as many as the request asks for. */
const clientFor = (count: number) => {
  const inputs: DescribeImagesCommand['input'][] = [];
  const send = async ({ input }: DescribeImagesCommand) => {
    inputs.push({ ...input });
    const from = Number(input.NextToken ?? 0);
    const to = Math.min(count, from + (input.MaxResults ?? count));
    const Images = Array.from({ length: to - from }, (_, index): Image => imageOf(from + index));
    return { Images, ...(to < count ? { NextToken: `${to}` } : {}) };
  };
  return { client: Object.assign(Object.create(EC2Client.prototype), { send }) as EC2Client, inputs };
};

const LOOKUP = { owner: 'amazon', name: '*', architecture: 'x86_64' };

it('findImages reads all pages of a lookup, and keeps the images that may be chosen', async () => {
  const { client, inputs } = clientFor(2500);
  const found = await findImages(client, LOOKUP);
  expect(found.map(({ ImageId }) => ImageId)).toEqual(['ami-0', 'ami-2499']);
  expect(inputs.map(({ NextToken }) => NextToken)).toEqual([undefined, '1000', '2000']);
});

it('findImages refuses a lookup that finds too many images, and stops reading', async () => {
  const { client, inputs } = clientFor(80_000);
  await expect(findImages(client, LOOKUP)).rejects.toThrow(
    'spec.imageLookupFormat: more than 10000 images match owner amazon, name *, architecture x86_64; make the name more specific',
  );
  expect(inputs).toHaveLength(11);
});

it('findImages requests one image by its id, without a page size, which EC2 refuses together with ids', async () => {
  const { client, inputs } = clientFor(1);
  expect(await findImages(client, { id: 'ami-0' })).toEqual([imageOf(0)]);
  expect(inputs).toEqual([{ ImageIds: ['ami-0'] }]);
});
