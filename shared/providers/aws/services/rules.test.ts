import { describe, expect, it } from 'vitest';
import type { IngressPermission } from '../network/security-groups/model.ts';
import type { DesiredService } from './model.ts';
import { classicRules, lackingRules, networkRules, type RuleNeed, surplusRules } from './rules.ts';

const named = (names: readonly string[], groupId = 'sg-1') => names.flatMap((name) => classicRules(name, groupId));
const descriptions = (rules: readonly IngressPermission[]) => rules.map(({ description }) => description).join();

/** The rules that are added, revoked, and added again. */
const plan = (ingress: readonly IngressPermission[], needs: readonly RuleNeed[], settled: readonly string[]) => {
  const present = [...ingress];
  const opened = needs.flatMap((need) => {
    const lacking = lackingRules(present, need);
    present.push(...lacking);
    return lacking;
  });
  const { revoked, inherited } = surplusRules(ingress, needs, new Set(settled));
  return [
    ...(opened.length > 0 ? [`open ${descriptions(opened)}`] : []),
    ...(revoked.length > 0 ? [`revoke ${descriptions(revoked)}`] : []),
    ...inherited.map(({ name, rules }) => `open again for ${name}: ${descriptions(rules)}`),
  ];
};

const needed = (...names: string[]): RuleNeed[] => names.map((name) => ({ name, rules: named([name]) }));

/** EC2 returns ports of -1 for some rules that allow all protocols. */
const shown = (rules: readonly IngressPermission[]) => rules.map((rule) => ({ ...rule, fromPort: -1, toPort: -1 }));

describe('the rule by which a classic load balancer reaches the nodes', () => {
  it.each<[string, IngressPermission[], RuleNeed[], string[], string[]]>([
    ['is added', [], needed('a'), ['a'], ['open windlass.dev/load-balancer=a']],
    ['stays if it exists', shown(named(['a'])), needed('a'), ['a'], []],
    ['is removed with its load balancer', named(['a']), [], ['a'], ['revoke windlass.dev/load-balancer=a']],
    ['stays while its load balancer is unknown', named(['a']), [], ['b'], []],
    [
      'is added once for two load balancers in a group',
      [],
      needed('a', 'b'),
      ['a', 'b'],
      ['open windlass.dev/load-balancer=a'],
    ],
    ['stays with the first of two load balancers', named(['a']), needed('b', 'a'), ['a', 'b'], []],
    [
      'is replaced for the second of two load balancers when the first is deleted',
      named(['a']),
      needed('b'),
      ['a', 'b'],
      ['revoke windlass.dev/load-balancer=a', 'open again for b: windlass.dev/load-balancer=b'],
    ],
    [
      'is not added beside a sufficient one of another program, which stays',
      [{ protocol: '-1', source: 'sg-1' }],
      needed('a'),
      ['a'],
      [],
    ],
    [
      'changes with the group of the load balancer',
      named(['a'], 'sg-2'),
      needed('a'),
      ['a'],
      ['open windlass.dev/load-balancer=a', 'revoke windlass.dev/load-balancer=a'],
    ],
  ])('%s', (_, ingress, needs, settled, actions) => {
    expect(plan(ingress, needs, settled)).toEqual(actions);
  });
});

describe('the rule for path MTU discovery', () => {
  const listeners = [{ group: { port: 30080, protocol: 'TCP', check: { port: 'traffic-port' } } }];
  const opening = (name: string, ...sourceRanges: string[]): RuleNeed => {
    const desired = { name, listeners, sourceRanges } as unknown as DesiredService;
    return { name, rules: networkRules({ desired, subnetBlocks: [] }) };
  };
  const a = opening('a', '192.0.2.0/24');
  const b = opening('b', '192.0.2.0/24');

  it('is written once for load balancers with the same clients', () => {
    const present = lackingRules([], a);

    expect(present.map(({ protocol }) => protocol)).toEqual(['tcp', 'icmp']);
    expect(lackingRules(present, opening('c', '192.0.2.0/24', '198.51.100.0/24'))).toMatchObject([
      { protocol: 'tcp', source: '198.51.100.0/24' },
      { protocol: 'icmp', source: '198.51.100.0/24' },
    ]);
  });

  it('is removed with the last of these load balancers', () => {
    const present = lackingRules([], a);
    const mtu = expect.objectContaining({ protocol: 'icmp' }) as unknown;

    expect(surplusRules(present, [b], new Set(['a', 'b'])).revoked).not.toContainEqual(mtu);
    expect(surplusRules(present, [], new Set(['a', 'b'])).revoked).toContainEqual(mtu);
    expect(surplusRules(present, [], new Set(['b'])).revoked).toEqual([]);
  });
});
