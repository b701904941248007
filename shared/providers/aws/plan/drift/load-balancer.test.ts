import { expect, it } from 'vitest';
import { desire } from '../../load-balancer/test-load-balancing.ts';
import { loadBalancerWishes } from './load-balancer.ts';
import { digestOf } from './settled.ts';

const SUBNET = { id: 'subnet-1', resourceID: 'subnet-1', availabilityZone: 'a', isIpv6: true };

it('the digest of a load balancer is the same as in versions that did not record where it is and what may stay', () => {
  const { subnetZones, withoutIpv6, ...desired } = desire({
    network: {
      vpc: { id: 'vpc-1', ipv6: {} },
      subnets: [
        { ...SUBNET, isPublic: true, cidrBlock: '10.0.1.0/24' },
        { ...SUBNET, id: 'private', cidrBlock: '10.0.0.0/24' },
      ],
    },
  });
  const [listener] = desired.listeners;
  expect([listener?.targetGroup.mayStay, subnetZones]).toEqual(['ipv4', { 'subnet-1': 'a' }]);

  const { recordedHost: _host, ownEndpoint: _own, recordedGroups: _groups, staleTags: _tags, ...wish } = desired;
  const listeners = desired.listeners.map(({ port, targetGroup: { mayStay: _, ...group } }) => ({
    ...{ port, targetGroup: group },
  }));
  expect(loadBalancerWishes({ ...desired, subnetZones, withoutIpv6 })).toEqual({
    loadBalancer: digestOf({ ...wish, listeners }),
  });
});
