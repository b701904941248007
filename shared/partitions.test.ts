import { partition } from '@aws-sdk/core/client';
import { expect, it } from 'vitest';
import { partitionOf } from './partitions.ts';

const REGIONS = [
  'us-east-1',
  'eu-central-1',
  'ap-southeast-7',
  'il-central-1',
  'me-south-1',
  'mx-central-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-east-1',
  'eusc-de-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isof-south-1',
  'eu-isoe-west-1',
];

it.each(REGIONS)('partitionOf assigns %s to the same partition as the SDK', (region) => {
  const { name, dnsSuffix, dualStackDnsSuffix } = partition(region);
  expect(partitionOf(region)).toMatchObject({ name, suffix: dnsSuffix, dualStackSuffix: dualStackDnsSuffix });
});

it('partitionOf refuses a text that is not a region', () => {
  for (const region of ['', 'local', 'us-east-1a', 'us-east-1.example.com'])
    expect(() => partitionOf(region)).toThrow('is not known');
});
