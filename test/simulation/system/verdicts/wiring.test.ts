import { expect, it } from 'vitest';
import type { TargetGroup } from '../../../../infra/local/engines/elbv2/records.ts';
import { testAccount, withInstance, withVpc } from './test-account.ts';
import { wiringOf } from './wiring.ts';

const accounts = () => [testAccount(), testAccount()].map((account) => ({ account, vpc: withVpc(account) }));

it('is equal for two accounts with the same resources', () => {
  const [one, other] = accounts();
  expect(one && wiringOf(one.account)).toBe(other && wiringOf(other.account));
});

it.each<[string, (one: ReturnType<typeof accounts>[number]) => void]>([
  [
    'a rule',
    ({ account }) => account.ec2().securityGroupRules.remove(account.ec2().securityGroupRules.all()[0]?.id ?? ''),
  ],
  ['a route', ({ account }) => account.ec2().routeTables.all()[0]?.routes.pop()],
  ['an association', ({ account }) => account.ec2().routeTables.all()[0]?.associations.pop()],
  ['a tag of a subnet', ({ account }) => account.ec2().subnets.all()[0]?.tags.set('a', 'b')],
])('differs by %s', (_, change) => {
  const [one, other] = accounts();
  if (one === undefined || other === undefined) throw new Error('there are not two accounts');
  change(other);
  expect(wiringOf(other.account)).not.toBe(wiringOf(one.account));
});

it('counts the registered targets whose instance is live', () => {
  const targetsOf = (state: 'running' | 'terminated'): string | undefined => {
    const account = testAccount();
    const instance = withInstance(account, {});
    Object.assign(instance, { timeline: [{ state, at: 0 }] });
    const target = { instanceId: instance.id, drainedAt: undefined };
    const group = { targets: new Map([[instance.id, target]]) } as unknown as TargetGroup;
    account.elbv2().targetGroups.set('group', group);
    return /registered targets \d/.exec(wiringOf(account))?.[0];
  };
  expect([targetsOf('running'), targetsOf('terminated')]).toEqual(['registered targets 1', 'registered targets 0']);
});
