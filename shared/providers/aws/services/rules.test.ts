import { describe, expect, it } from 'vitest';
import type { IngressPermission } from '../network/security-groups/model.ts';
import { classicRules, planRules } from './rules.ts';

const named = (names: readonly string[], groupId = 'sg-1') => names.flatMap((name) => classicRules(name, groupId));
const plan = (
  ingress: readonly IngressPermission[],
  needed: readonly IngressPermission[],
  settled: readonly string[],
) =>
  planRules({ id: 'sg-nodes', ingress }, needed, new Set(settled)).map(
    ({ type, ...action }) =>
      `${type} ${'permissions' in action ? action.permissions.map(({ description }) => description).join() : ''}`,
  );

/** EC2 shows some rules for all protocols with ports. */
const shown = (rules: readonly IngressPermission[]) => rules.map((rule) => ({ ...rule, fromPort: -1, toPort: -1 }));

describe('the rule by which a classic load balancer reaches the nodes', () => {
  it.each<[string, IngressPermission[], IngressPermission[], string[], string[]]>([
    ['is written', [], named(['a']), ['a'], ['AuthorizeIngress windlass.dev/load-balancer=a']],
    ['stays as it is', shown(named(['a'])), named(['a']), ['a'], []],
    ['goes with its load balancer', named(['a']), [], ['a'], ['RevokeIngress windlass.dev/load-balancer=a']],
    ['stays while its load balancer is unknown', named(['a']), [], ['b'], []],
    [
      'is one for two load balancers in a group',
      [],
      named(['a', 'b']),
      ['a', 'b'],
      ['AuthorizeIngress windlass.dev/load-balancer=a'],
    ],
    ['stays for the first of two', named(['a']), named(['b', 'a']), ['a', 'b'], []],
    [
      'is handed over when the first of two goes',
      named(['a']),
      named(['b']),
      ['a', 'b'],
      ['RevokeIngress windlass.dev/load-balancer=a', 'AuthorizeIngress windlass.dev/load-balancer=b'],
    ],
    ['of another program is enough, and stays', [{ protocol: '-1', source: 'sg-1' }], named(['a']), ['a'], []],
    [
      'follows the group of the load balancer',
      named(['a'], 'sg-2'),
      named(['a']),
      ['a'],
      ['AuthorizeIngress windlass.dev/load-balancer=a', 'RevokeIngress windlass.dev/load-balancer=a'],
    ],
  ])('%s', (_, ingress, needed, settled, actions) => {
    expect(plan(ingress, needed, settled)).toEqual(actions);
  });
});
