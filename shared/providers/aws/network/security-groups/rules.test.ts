import { describe, expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { canonicalPermission, permissionsBeyond } from './permissions.ts';
import { securityGroupRules } from './rules.ts';

const CALICO = [
  { description: 'bgp (calico)', protocol: 'tcp', fromPort: 179, toPort: 179 },
  { description: 'IP-in-IP (calico)', protocol: '4', fromPort: -1, toPort: 65535 },
];

const lines = (spec: AWSCluster['spec'], natIps: string[] = []) => {
  const rules = securityGroupRules({ spec, apiPort: 6443, vpcCidr: '10.0.0.0/16', natIps });
  return Object.fromEntries(
    Object.entries(rules).map(([role, list]) => [
      role,
      list.map(({ protocol, fromPort, toPort, source }) => {
        const from = typeof source === 'string' ? source : source.role;
        return `${protocol} ${fromPort}-${toPort} ${from}`;
      }),
    ]),
  );
};

const nlb = { loadBalancerType: 'nlb' } as const;

describe('the rules of the security groups', () => {
  it("are upstream's for a cluster without special settings", () => {
    const spec = { controlPlaneLoadBalancer: nlb, network: { cni: { cniIngressRules: CALICO } } };

    expect(lines(spec, ['1.2.3.4'])).toEqual({
      'apiserver-lb': ['tcp 6443-6443 1.2.3.4/32', 'tcp 6443-6443 0.0.0.0/0'],
      lb: ['tcp 6443-6443 10.0.0.0/16'],
      controlplane: [
        'tcp 6443-6443 apiserver-lb',
        'tcp 6443-6443 controlplane',
        'tcp 6443-6443 node',
        'tcp 2379-2379 controlplane',
        'tcp 2380-2380 controlplane',
        'tcp 179-179 controlplane',
        'tcp 179-179 node',
        '4 -1-65535 controlplane',
        '4 -1-65535 node',
      ],
      node: [
        'tcp 30000-32767 0.0.0.0/0',
        'tcp 10250-10250 controlplane',
        'tcp 10250-10250 node',
        'tcp 179-179 controlplane',
        'tcp 179-179 node',
        '4 -1-65535 controlplane',
        '4 -1-65535 node',
      ],
    });
  });

  const rule = { description: 'mine', protocol: 'tcp', fromPort: 6443, toPort: 6443 } as const;

  it.each<{ reason: string; spec: AWSCluster['spec']; role: string; expected: string[] }>([
    {
      reason: 'an API with rules of its own is open to nobody else, also while no NAT address is known',
      spec: { controlPlaneLoadBalancer: { ...nlb, ingressRules: [{ ...rule, cidrBlocks: ['9.9.9.0/24'] }] } },
      role: 'apiserver-lb',
      expected: ['tcp 6443-6443 9.9.9.0/24'],
    },
    {
      reason: 'an internal API is open to the VPC',
      spec: { controlPlaneLoadBalancer: { ...nlb, scheme: 'internal' } },
      role: 'apiserver-lb',
      expected: ['tcp 6443-6443 10.0.0.0/16', 'tcp 6443-6443 0.0.0.0/0'],
    },
    {
      reason: 'machines and load balancers are also in the secondary blocks of the VPC',
      spec: {
        network: { vpc: { secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }] } },
        controlPlaneLoadBalancer: {
          ...nlb,
          scheme: 'internal',
          ingressRules: [{ ...rule, cidrBlocks: ['9.9.9.0/24'] }],
        },
      },
      role: 'apiserver-lb',
      expected: ['tcp 6443-6443 10.0.0.0/16', 'tcp 6443-6443 100.64.0.0/16', 'tcp 6443-6443 9.9.9.0/24'],
    },
    {
      reason: 'a load balancer may be in a secondary block',
      spec: {
        network: { vpc: { secondaryCidrBlocks: [{ ipv4CidrBlock: '100.64.0.0/16' }] } },
        controlPlaneLoadBalancer: nlb,
      },
      role: 'lb',
      expected: ['tcp 6443-6443 10.0.0.0/16', 'tcp 6443-6443 100.64.0.0/16'],
    },
    {
      reason: 'client addresses are preserved, so that every listener is open to everyone',
      spec: { controlPlaneLoadBalancer: { ...nlb, preserveClientIP: true, additionalListeners: [{ port: 8132 }] } },
      role: 'lb',
      expected: ['tcp 6443-6443 0.0.0.0/0', 'tcp 8132-8132 0.0.0.0/0'],
    },
    {
      reason: 'a classic load balancer does not use that group',
      spec: { controlPlaneLoadBalancer: { loadBalancerType: 'classic' } },
      role: 'lb',
      expected: [],
    },
    {
      reason: 'node ports are open to the blocks that the user names',
      spec: { network: { nodePortIngressRuleCidrBlocks: ['9.9.9.0/24'], additionalNodeIngressRules: [rule] } },
      role: 'node',
      expected: [
        'tcp 30000-32767 9.9.9.0/24',
        'tcp 10250-10250 controlplane',
        'tcp 10250-10250 node',
        'tcp 6443-6443 controlplane',
      ],
    },
  ])('differ where $reason', ({ spec, role, expected }) => {
    expect(lines(spec)[role]).toEqual(expected);
  });
});

describe('a permission', () => {
  it.each([
    { given: { protocol: '6', fromPort: 1, toPort: 2, source: '10.0.0.9/16' }, as: 'tcp 1 2 10.0.0.0/16' },
    { given: { protocol: '4', fromPort: -1, toPort: 65535, source: 'sg-1' }, as: '4 undefined undefined sg-1' },
    {
      given: { protocol: '-1', fromPort: -1, toPort: -1, source: 'FE80::/10' },
      as: '-1 undefined undefined fe80::/10',
    },
    { given: { protocol: 'tcp', fromPort: 1, toPort: 1, source: 'pl-1' }, as: 'tcp 1 1 pl-1' },
    { given: { protocol: 'tcp', fromPort: -1, toPort: -1, source: 'sg-1' }, as: 'tcp 0 65535 sg-1' },
    { given: { protocol: 'UDP', fromPort: -1, toPort: -1, source: 'sg-1' }, as: 'udp 0 65535 sg-1' },
    { given: { protocol: 'ALL', fromPort: 1, toPort: 2, source: 'sg-1' }, as: '-1 undefined undefined sg-1' },
    { given: { protocol: '58', fromPort: -1, toPort: -1, source: '::/0' }, as: 'icmpv6 -1 -1 ::/0' },
    { given: { protocol: 'icmpv6', source: '::/0' }, as: 'icmpv6 -1 -1 ::/0' },
    { given: { protocol: 'icmp', fromPort: 3, toPort: 4, source: 'sg-1' }, as: 'icmp 3 4 sg-1' },
  ])('is normalized as EC2 returns it: $as', ({ given, as }) => {
    const { protocol, fromPort, toPort, source } = canonicalPermission(given);

    expect(`${protocol} ${fromPort} ${toPort} ${source}`).toBe(as);
  });

  it.each([
    { wanted: { protocol: 'tcp', fromPort: -1, toPort: -1 }, stored: { protocol: 'tcp', fromPort: 0, toPort: 65_535 } },
    { wanted: { protocol: 'all', fromPort: 0, toPort: 0 }, stored: { protocol: '-1' } },
    { wanted: { protocol: '17', fromPort: 53, toPort: 53 }, stored: { protocol: 'udp', fromPort: 53, toPort: 53 } },
  ])('is not changed once it is stored: $wanted', ({ wanted, stored }) => {
    const [mine, theirs] = [wanted, stored].map((one) => [{ ...one, source: 'sg-1' }]);

    expect(permissionsBeyond(mine ?? [], theirs ?? [])).toEqual([]);
    expect(permissionsBeyond(theirs ?? [], mine ?? [])).toEqual([]);
  });

  it('is the same with any description, and is counted once', () => {
    const one = { protocol: 'tcp', fromPort: 1, toPort: 1, source: 'sg-1', description: 'a' };

    expect(permissionsBeyond([one], [{ ...one, description: 'b' }])).toEqual([]);
    expect(permissionsBeyond([one, { ...one, description: 'b' }], [])).toEqual([one]);
  });
});
