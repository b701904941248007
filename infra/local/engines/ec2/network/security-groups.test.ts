import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateVpcCommand,
  DeleteSecurityGroupCommand,
  DeleteVpcCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../../test-aws.ts';

let test: TestAws;
let ec2: EC2Client;
let VpcId: string;
beforeEach(async () => {
  test = await startTestAws();
  ec2 = new EC2Client(test.client);
  VpcId = (await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))).Vpc?.VpcId ?? '';
});
afterEach(async () => {
  ec2.destroy();
  await test.aws.close();
});

const newGroup = async (GroupName: string): Promise<string> =>
  (await ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: 'a group', VpcId }))).GroupId ?? '';
const allow = (GroupId: string, ...IpPermissions: IpPermission[]) =>
  ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions }));
const groupOf = async (id: string) =>
  (await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] }))).SecurityGroups?.[0];

const tcp = (FromPort: number, ToPort: number, more: Partial<IpPermission>): IpPermission => ({
  IpProtocol: 'tcp',
  FromPort,
  ToPort,
  ...more,
});
const anywhere = { IpRanges: [{ CidrIp: '0.0.0.0/0', Description: 'anywhere' }] };

it('splits permissions into rules, and joins them again', async () => {
  const [id, peer] = [await newGroup('node'), await newGroup('controlplane')];
  const { SecurityGroupRules = [] } = await allow(
    id,
    tcp(6443, 6443, {
      IpRanges: [{ CidrIp: '10.0.0.0/16' }],
      UserIdGroupPairs: [{ GroupId: peer, Description: 'API' }],
    }),
    { IpProtocol: '4', FromPort: -1, ToPort: 65_535, UserIdGroupPairs: [{ GroupId: id }] },
  );

  const group = await groupOf(id);

  expect(SecurityGroupRules).toHaveLength(3);
  expect(group?.IpPermissions).toEqual([
    tcp(6443, 6443, {
      IpRanges: [{ CidrIp: '10.0.0.0/16' }],
      Ipv6Ranges: [],
      PrefixListIds: [],
      UserIdGroupPairs: [{ GroupId: peer, UserId: '000000000000', Description: 'API' }],
    }),
    {
      IpProtocol: '4',
      IpRanges: [],
      Ipv6Ranges: [],
      PrefixListIds: [],
      UserIdGroupPairs: [{ GroupId: id, UserId: '000000000000' }],
    },
  ]);
  expect(group?.IpPermissionsEgress?.[0]).toMatchObject({ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] });
});

it('refuses an existing rule, whatever its description, and adds none of the others in the call', async () => {
  const id = await newGroup('node');
  await allow(id, tcp(22, 22, anywhere));

  const again = allow(id, tcp(80, 80, anywhere), tcp(22, 22, { IpRanges: [{ CidrIp: '0.0.0.0/0' }] }));

  await expect(again).rejects.toMatchObject({
    name: 'InvalidPermission.Duplicate',
    message: 'the specified rule "peer: 0.0.0.0/0, TCP, from port: 22, to port: 22, ALLOW" already exists',
  });
  expect((await groupOf(id))?.IpPermissions).toHaveLength(1);
});

it('revokes rules by their content or their id', async () => {
  const id = await newGroup('node');
  const { SecurityGroupRules = [] } = await allow(id, tcp(22, 22, anywhere), tcp(80, 80, anywhere));
  const revoke = (IpPermissions: IpPermission[]) =>
    ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: id, IpPermissions }));

  await revoke([tcp(22, 22, { IpRanges: [{ CidrIp: '0.0.0.0/0' }] })]);
  expect(await codeOf(revoke([tcp(22, 22, anywhere)]))).toBe('InvalidPermission.NotFound');
  const SecurityGroupRuleIds = [SecurityGroupRules[1]?.SecurityGroupRuleId ?? ''];
  await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: id, SecurityGroupRuleIds }));

  const Filters = [{ Name: 'group-id', Values: [id] }];
  const { SecurityGroupRules: left = [] } = await ec2.send(new DescribeSecurityGroupRulesCommand({ Filters }));
  expect(left.map(({ IsEgress, IpProtocol }) => [IsEgress, IpProtocol])).toEqual([[true, '-1']]);
});

it('separates ingress and egress rules', async () => {
  const id = await newGroup('node');
  const everything = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

  const again = ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId: id, IpPermissions: [everything] }));
  expect(await codeOf(again)).toBe('InvalidPermission.Duplicate');
  await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId: id, IpPermissions: [everything] }));
  await allow(id, everything);

  expect(await groupOf(id)).toMatchObject({ IpPermissionsEgress: [], IpPermissions: [{ IpProtocol: '-1' }] });
});

it('checks names, rules and quotas like EC2', async () => {
  const id = await newGroup('node');
  test.account.settings.quotas.rulesPerSecurityGroup = 1;
  await allow(id, tcp(1, 1, anywhere));

  expect(await codeOf(newGroup('node'))).toBe('InvalidGroup.Duplicate');
  expect(await codeOf(newGroup('sg-node'))).toBe('InvalidParameterValue');
  expect(await codeOf(allow(id, tcp(2, 2, anywhere)))).toBe('RulesPerSecurityGroupLimitExceeded');
  expect(await codeOf(allow(id, tcp(9, 2, anywhere)))).toBe('InvalidParameterValue');
  expect(await codeOf(allow(id, tcp(2, 2, { IpRanges: [{ CidrIp: '10.0.0.0' }] })))).toBe('InvalidParameterValue');
  expect(await codeOf(groupOf('sg-0123456789abcdef0'))).toBe('InvalidGroup.NotFound');
  expect(await codeOf(groupOf('group'))).toBe('InvalidGroupId.Malformed');
});

it('does not delete a group that another group refers to', async () => {
  const [id, peer] = [await newGroup('node'), await newGroup('lb')];
  await allow(peer, tcp(1, 1, { UserIdGroupPairs: [{ GroupId: id }] }));
  await allow(id, tcp(1, 1, { UserIdGroupPairs: [{ GroupId: id }] }));
  const remove = (GroupId: string) => ec2.send(new DeleteSecurityGroupCommand({ GroupId }));

  expect(await codeOf(remove(id))).toBe('DependencyViolation');
  expect(await codeOf(ec2.send(new DeleteVpcCommand({ VpcId })))).toBe('DependencyViolation');
  await remove(peer);
  await remove(id);
  expect(await codeOf(remove(id))).toBe('InvalidGroup.NotFound');
});

it('keeps the default group until its VPC is deleted', async () => {
  const Filters = [
    { Name: 'vpc-id', Values: [VpcId] },
    { Name: 'group-name', Values: ['default'] },
  ];
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ Filters }));
  const GroupId = SecurityGroups[0]?.GroupId ?? '';

  expect(await codeOf(ec2.send(new DeleteSecurityGroupCommand({ GroupId })))).toBe('CannotDelete');
  await ec2.send(new DeleteVpcCommand({ VpcId }));
  expect(await codeOf(groupOf(GroupId))).toBe('InvalidGroup.NotFound');
});
