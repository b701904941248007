import { expect, it } from 'vitest';
import { foreignBreaches } from './foreign.ts';
import { OWNED, testAccount, withInstance, withVpc } from './test-account.ts';

const call = (operation: string, service = 'ec2', functionName: string | undefined = 'Windlass-drift') => ({
  ...{ service, operation, functionName },
});

const world = () => {
  const account = testAccount();
  const [own, foreign] = [withVpc(account), withVpc(account, new Map())];
  const group = account
    .ec2()
    .securityGroups.all()
    .find(({ vpcId }) => vpcId === foreign.id);
  return { account, own: own.id, foreign: foreign.id, group: group?.id ?? '' };
};

it('a request that changes a resource without an owner is a violation', () => {
  const { account, own, foreign } = world();
  expect(foreignBreaches(account, call('DeleteVpc'), { VpcId: own })).toEqual([]);
  expect(foreignBreaches(account, call('DeleteVpc'), { VpcId: foreign })).toEqual([
    `Windlass-drift changes ${foreign} by DeleteVpc, although no cluster owns it`,
  ]);
});

it('rules, instances and tags are judged by the resource to which they belong', () => {
  const { account, group } = world();
  const rule = account.ec2().securityGroupRules.of(group)[0]?.id ?? '';
  const [mine, other] = [withInstance(account, Object.fromEntries(OWNED)), withInstance(account, { a: 'b' })];
  const terminate = call('TerminateInstances');
  expect(foreignBreaches(account, terminate, { InstanceIds: [mine.id] })).toEqual([]);
  expect(foreignBreaches(account, terminate, { InstanceIds: [mine.id, other.id] })).toHaveLength(1);
  const revoke = call('RevokeSecurityGroupEgress');
  expect(foreignBreaches(account, revoke, { SecurityGroupRuleIds: [rule] })).toHaveLength(1);
  const tags = { Resources: [other.id], Tags: [{ Key: 'kubernetes.io/a', Value: 'b' }] };
  expect(foreignBreaches(account, call('CreateTags'), tags)).toHaveLength(1);
});

it("a cluster may use the user's network, and set the tags of the cloud provider on subnets", () => {
  const { account, foreign, group } = world();
  expect(foreignBreaches(account, call('CreateSecurityGroup'), { VpcId: foreign })).toEqual([]);
  expect(foreignBreaches(account, call('RunInstances'), { SecurityGroupIds: [group] })).toEqual([]);
  const subnet = account.ec2().subnets.all()[0]?.id ?? '';
  const tag = (Key: string, id = subnet) => ({ Resources: [id], Tags: [{ Key, Value: 'shared' }] });
  expect(foreignBreaches(account, call('CreateTags'), tag('kubernetes.io/cluster/a'))).toEqual([]);
  expect(foreignBreaches(account, call('CreateTags'), tag('kubernetes.io/cluster/a', foreign))).toHaveLength(1);
  expect(foreignBreaches(account, call('CreateTags'), tag('Name'))).toHaveLength(1);
});

it('reads, dry runs, requests of others and missing resources are not judged', () => {
  const { account, foreign } = world();
  expect(foreignBreaches(account, call('DescribeVpcs'), { VpcIds: [foreign] })).toEqual([]);
  expect(foreignBreaches(account, call('DeleteVpc'), { VpcId: foreign, DryRun: true })).toEqual([]);
  expect(foreignBreaches(account, { ...call('DeleteVpc'), functionName: undefined }, { VpcId: foreign })).toEqual([]);
  expect(foreignBreaches(account, call('DeleteVpc'), { VpcId: 'vpc-00000000000000001' })).toEqual([]);
});
