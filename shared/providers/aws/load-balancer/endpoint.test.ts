import { expect, it } from 'vitest';
import { desiredLoadBalancing } from './desired.ts';
import { planLoadBalancing } from './plan.ts';
import { awsCluster, CLUSTER, desire } from './test-load-balancing.ts';

it.each([
  'red-1.elb.cn-north-1.amazonaws.com.cn',
  'red-1.elb.us-isof-south-1.csp.hci.ic.gov',
  'red-1.eu-west-1.elb.amazonaws.com',
  '10.0.0.7',
  'recorded.example',
])('the host %s, which always leads to one load balancer, is not treated as a name of the user', (host) => {
  const cluster = awsCluster({ controlPlaneEndpoint: { host, port: 6443 } });
  const networkStatus = { ...cluster.status?.networkStatus, apiServerElb: { dnsName: 'recorded.example' } };
  const input = { cluster: CLUSTER, clusterUid: 'u-1', awsCluster: { ...cluster, status: { networkStatus } } };

  expect(desiredLoadBalancing(input)).toMatchObject({ recordedHost: host });
});

it('a load balancer behind a name of the user is created and recreated, and the user points the name to it', () => {
  const desired = desire({ controlPlaneEndpoint: { host: 'api.elb.example', port: 6443 } });

  const { actions, problem } = planLoadBalancing(CLUSTER, desired, { targetGroups: [], listeners: [] });

  expect(problem).toBeUndefined();
  expect(actions.map(({ type }) => type)).toEqual(['CreateLoadBalancer', 'CreateTargetGroup']);
});
