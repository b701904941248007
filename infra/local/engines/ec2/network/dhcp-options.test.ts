import {
  AssociateDhcpOptionsCommand,
  CreateDhcpOptionsCommand,
  DeleteDhcpOptionsCommand,
  DescribeDhcpOptionsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { codeOf } from '../../../test-aws.ts';
import { networkCalls, useTestEc2 } from '../test-ec2.ts';

const account = useTestEc2({});
const { newVpc } = networkCalls(account);

const optionsOf = async (VpcId: string): Promise<string | undefined> =>
  (await account.ec2.send(new DescribeVpcsCommand({ VpcIds: [VpcId] }))).Vpcs?.[0]?.DhcpOptionsId;

it('associates DHCP options with a VPC, and does not delete options in use', async () => {
  const { ec2 } = account;
  const VpcId = await newVpc();
  expect(await optionsOf(VpcId)).toBe('default');
  const DhcpConfigurations = [{ Key: 'domain-name', Values: ['corp.example'] }];
  const { DhcpOptions } = await ec2.send(new CreateDhcpOptionsCommand({ DhcpConfigurations }));
  const { DhcpOptionsId } = DhcpOptions ?? {};
  await ec2.send(new AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId }));
  expect(await optionsOf(VpcId)).toBe(DhcpOptionsId);

  const Filters = [{ Name: 'key', Values: ['domain-name'] }];
  const described = await ec2.send(new DescribeDhcpOptionsCommand({ Filters }));
  expect(described.DhcpOptions?.map((one) => one.DhcpConfigurations)).toEqual([
    [{ Key: 'domain-name', Values: [{ Value: 'corp.example' }] }],
  ]);

  const remove = new DeleteDhcpOptionsCommand({ DhcpOptionsId });
  expect(await codeOf(ec2.send(remove))).toBe('DependencyViolation');
  await ec2.send(new AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId: 'default' }));
  await ec2.send(remove);
  expect(await codeOf(ec2.send(new AssociateDhcpOptionsCommand({ VpcId, DhcpOptionsId })))).toBe(
    'InvalidDhcpOptionID.NotFound',
  );
});

it('refuses an unknown option', async () => {
  const DhcpConfigurations = [{ Key: 'domain', Values: ['corp.example'] }];
  expect(await codeOf(account.ec2.send(new CreateDhcpOptionsCommand({ DhcpConfigurations })))).toBe(
    'InvalidParameterValue',
  );
});
