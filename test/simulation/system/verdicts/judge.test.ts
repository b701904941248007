import { describe, expect, it } from 'vitest';
import { terminate } from '../../../../infra/local/engines/ec2/instances/state.ts';
import { addInternetGateway } from '../../../../infra/local/engines/ec2/network/internet-gateways.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import {
  contentsOf,
  instanceBreaches,
  instancesMissing,
  makeGenerations,
  networkBreaches,
  ownershipBreaches,
  remains,
  secretBreach,
  summaryOf,
} from './judge.ts';
import { OWNED, testAccount, withInstance, withVpc } from './test-account.ts';

const SIZES = { controlPlane: 1, workers: 1 };
const machine = (uid: string) => ({ metadata: { name: uid, uid }, spec: {} }) as unknown as Machine;

const withMachines = (...uids: string[]) => {
  const account = testAccount();
  const instances = uids.map((uid) => withInstance(account, { [MACHINE_UID_TAG]: uid }));
  return { account, instances };
};

describe('instances', () => {
  it('two live ones of a machine are a violation, a dead and a live one are not', () => {
    const { account, instances } = withMachines('a', 'a');
    expect(instanceBreaches(account, SIZES, 0)).toEqual(['the machine a has two live instances']);
    for (const one of instances.slice(1)) terminate(account.ec2(), one);
    expect(instanceBreaches(account, SIZES, 0)).toEqual([]);
  });

  it('more than the machines and the expected ones are a violation', () => {
    const { account } = withMachines('a', 'b', 'c');
    expect(instanceBreaches(account, SIZES, 0)).toEqual(['3 instances are live, more than 2']);
    expect(instanceBreaches(account, SIZES, 1)).toEqual([]);
  });

  it('a step waits for as many as it has machines, unless it only concerns the control plane', () => {
    const { account } = withMachines('a');
    expect(instancesMissing(account, { sizes: SIZES })).toBe('1 instances are live');
    expect(instancesMissing(account, { sizes: SIZES, isOfControlPlane: true })).toBeUndefined();
    withInstance(account, { [MACHINE_UID_TAG]: 'b' });
    expect(instancesMissing(account, { sizes: SIZES })).toBeUndefined();
  });

  it('one without a Machine is a violation', () => {
    const { account, instances } = withMachines('a', 'b');
    expect(ownershipBreaches(account, [machine('a')])).toEqual([
      `the instance ${instances[1]?.id} belongs to no Machine`,
    ]);
    expect(ownershipBreaches(account, [machine('a'), machine('b')])).toEqual([]);
  });
});

it('a second VPC or internet gateway of a cluster is a violation, one that no cluster owns is not', () => {
  const account = testAccount();
  withVpc(account);
  withVpc(account, new Map());
  expect(networkBreaches(account)).toEqual([]);
  withVpc(account);
  for (const tags of [OWNED, OWNED]) addInternetGateway(account.ec2(), undefined, tags);
  expect(networkBreaches(account)).toEqual([
    'the cluster has more than one of its vpcs',
    'the cluster has more than one of its internetGateways',
  ]);
});

it('the summary of an account differs if it has one more resource, and does not if only a name differs', () => {
  const [one, other] = [testAccount(), testAccount()];
  withVpc(one);
  withVpc(other, new Map([['Name', 'other']]));
  expect(summaryOf(one)).toBe(summaryOf(other));
  withVpc(other);
  expect(summaryOf(one)).not.toBe(summaryOf(other));
});

it('a resource that is left, and a change to one that existed before, are violations', () => {
  const account = testAccount();
  const vpc = withVpc(account, new Map([['owner', 'user']]));
  const before = contentsOf(account);
  expect(remains(before, contentsOf(account))).toEqual([]);
  withInstance(account, { [MACHINE_UID_TAG]: 'a' });
  expect(remains(before, contentsOf(account))).toEqual([expect.stringMatching(/^left behind: i-/)]);
  vpc.tags.delete('owner');
  expect(remains(before, contentsOf(account))).toContainEqual(
    `changed, although not owned: ${vpc.id} [["owner","user"]]`,
  );
});

it('the rules and routes of existing resources are compared, too', () => {
  const account = testAccount();
  const vpc = withVpc(account, new Map());
  const before = contentsOf(account);
  const ec2 = account.ec2();
  const table = ec2.routeTables.all().find(({ vpcId }) => vpcId === vpc.id);
  table?.routes.push({ destination: '0.0.0.0/0', target: { kind: 'gateway', id: 'igw-1' } });
  const [rule] = ec2.securityGroupRules.all();
  ec2.securityGroupRules.remove(rule?.id ?? '');
  expect(remains(before, contentsOf(account)).map((one) => one.replace(/:.*/, ''))).toEqual([
    'left behind',
    'changed, although not owned',
    'changed, although not owned',
  ]);
});

it.each<[string, string, boolean]>([
  ['a private key', '-----BEGIN EC PRIVATE KEY-----', true],
  ['a private key in base64', Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64'), true],
  ['a bootstrap token', 'abcdef.0123456789abcdef', true],
  ['a certificate', '-----BEGIN CERTIFICATE-----', false],
  ['the name of a Secret', 'quickstart-kubeconfig', false],
])('judges %s', (_, text, isSecret) => {
  expect(secretBreach('the log', text)).toEqual(isSecret ? ['a secret is in the log'] : []);
});

it('a generation that decreases is a violation', () => {
  const generations = makeGenerations();
  const at = (generation: number) => ({
    ...{ apiVersion: 'v1', kind: 'Machine' },
    metadata: { name: 'a', uid: 'u', generation },
  });
  expect([2, 2, 3].flatMap((generation) => generations(at(generation)))).toEqual([]);
  expect(generations(at(1))).toEqual(['Machine a: the generation went from 3 to 1']);
});
