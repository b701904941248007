import * as sdk from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../../shared/clock.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { createAccount } from '../../account.ts';
import { type SimulatedAws, startAws } from '../../aws.ts';
import { createDataPlane } from '../elbv2/data-plane.ts';

const account = createAccount({ clock: systemClock, random: systemRandom });
let aws: SimulatedAws;
let ec2: sdk.EC2Client;

beforeAll(async () => {
  aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  ec2 = new sdk.EC2Client({ endpoint: aws.url, region: 'us-east-1', credentials });
});
afterAll(async () => {
  ec2.destroy();
  await aws.close();
});

it('shows the default network of a new account', async () => {
  const { Vpcs = [] } = await ec2.send(new sdk.DescribeVpcsCommand({}));
  const { Subnets = [] } = await ec2.send(new sdk.DescribeSubnetsCommand({}));

  expect(Vpcs.map(({ CidrBlock, IsDefault }) => [CidrBlock, IsDefault])).toEqual([['172.31.0.0/16', true]]);
  expect(Subnets.map(({ AvailabilityZone }) => AvailabilityZone)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `us-east-1${letter}`),
  );
});
