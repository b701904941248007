import { describe, expect, it } from 'vitest';
import { withIntended } from '../intended.ts';
import { planLoadBalancing } from '../plan.ts';
import { balancerRecordOf } from '../roles.ts';
import { awsCluster, balancer, CLUSTER, desire, group, listener, subnet } from '../test-load-balancing.ts';

const withIpv6 = (asked: object = {}, cidrBlock: string | undefined = '10.0.1.0/24') =>
  desire({
    network: {
      vpc: { id: 'vpc-1', ipv6: {} },
      subnets: [
        { ...subnet('subnet-1', 'a', true), isIpv6: true, cidrBlock: '10.0.0.0/24' },
        { ...subnet('subnet-2', 'b', false), isIpv6: true, ...(cidrBlock ? { cidrBlock } : {}) },
      ],
    },
    controlPlaneLoadBalancer: { loadBalancerType: 'nlb', healthCheckProtocol: 'HTTPS', ...asked },
  });

const plan = (desired: ReturnType<typeof desire>, ipType: string) => {
  const loadBalancer = balancer({ ipAddressType: 'dualstack', zones: [{ zone: 'a', subnetId: 'subnet-1' }] });
  const targetGroups = [group(undefined, undefined, { ipType })];
  return planLoadBalancing(CLUSTER, desired, { loadBalancer, targetGroups, listeners: [listener] }).actions;
};

describe('the target group of a cluster that gets IPv6 later', () => {
  it('is kept, because the machines have no primary IPv6 address', () => {
    expect(plan(withIpv6(), 'ipv4')).toEqual([]);
  });

  it('determines the address family for an added listener', () => {
    const asked = { additionalListeners: [{ port: 8132, protocol: 'TCP' }] };
    const desired = withIpv6(asked);
    const actions = plan(desired, 'ipv4');
    expect(actions[0]).toMatchObject({ type: 'CreateTargetGroup', group: { port: 8132, ipType: 'ipv4' } });
    expect(balancerRecordOf(withIntended(awsCluster(), desired, actions), 'primary')?.elbListeners).toMatchObject([
      { port: 8132, targetGroup: { ipType: 'ipv4' } },
    ]);
    expect(plan(desired, 'ipv6')[0]).toMatchObject({ group: { port: 8132, ipType: 'ipv6' } });
  });

  it.each([
    ['the spec names its address family', withIpv6({ targetGroupIPType: 'ipv6' })],
    ['machines no longer get IPv4 addresses', withIpv6({}, '')],
  ])('is replaced if %s', (_, desired) => {
    expect(plan(desired, 'ipv4')).toMatchObject([{ type: 'CreateTargetGroup', group: { ipType: 'ipv6' } }]);
  });

  it('has IPv6 if it is new', () => {
    expect(withIpv6().listeners[0]?.targetGroup.ipType).toBe('ipv6');
    expect(plan(withIpv6(), 'ipv6')).toEqual([]);
  });
});

describe('the target group of a cluster that gets a private subnet without IPv6', () => {
  const withOld = (asked: object = {}) =>
    desire({
      network: {
        vpc: { id: 'vpc-1', ipv6: {} },
        subnets: [
          { ...subnet('subnet-1', 'a', true), isIpv6: true, cidrBlock: '10.0.0.0/24' },
          { ...subnet('subnet-2', 'b', false), isIpv6: true },
          { ...subnet('subnet-3', 'b', false), cidrBlock: '10.0.2.0/24' },
        ],
      },
      controlPlaneLoadBalancer: { loadBalancerType: 'nlb', healthCheckProtocol: 'HTTPS', ...asked },
    });

  it('is kept, because the API would be unreachable until the targets of another one are healthy', () => {
    expect(plan(withOld(), 'ipv6')).toEqual([]);
  });

  it('is replaced if the spec names its address family', () => {
    const actions = plan(withOld({ targetGroupIPType: 'ipv4' }), 'ipv6');
    expect(actions).toMatchObject([{ type: 'CreateTargetGroup', group: { ipType: 'ipv4' } }]);
  });

  it('has IPv4 if it is new', () => {
    expect(withOld().listeners[0]?.targetGroup.ipType).toBe('ipv4');
  });
});
