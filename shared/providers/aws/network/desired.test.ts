import { expect, it } from 'vitest';
import type { AWSCluster } from '../../../kinds/index.ts';
import { ownershipTag } from '../tags.ts';
import { desiredFrom } from './desired.ts';
import { withNetwork } from './record.ts';

const CLUSTER = { namespace: 'default', name: 'red' };

it.each([
  { whose: "the cluster's own", tags: { [ownershipTag('red')]: 'owned' } },
  { whose: "a user's", tags: {} },
])('the block of a VPC that is $whose is that of EC2, even if the spec has another one', ({ tags }) => {
  const spec: AWSCluster['spec'] = {
    network: { vpc: { id: 'vpc-1', cidrBlock: '10.1.0.0/16' } },
    controlPlaneLoadBalancer: { scheme: 'internal', loadBalancerType: 'nlb' },
  };
  const nothing = { subnets: [], internetGateways: [], routeTables: [], natGateways: [], addresses: [] };
  const vpcs = [{ id: 'vpc-1', cidrBlock: '10.9.0.0/16', tags }];
  const observed = { ...nothing, vpcs, securityGroups: [], networkInterfaces: [] };

  const desired = desiredFrom({ cluster: CLUSTER, clusterUid: 'u-1', spec }, observed);
  const awsCluster: AWSCluster = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { name: 'red' },
    spec,
  };
  const recorded = withNetwork(awsCluster, desired, observed);

  const rules = desired.securityGroups.find(({ role }) => role === 'lb')?.ingress;
  expect(rules?.map(({ source }) => source)).toEqual(['10.9.0.0/16']);
  expect(recorded.spec.network?.vpc).toMatchObject({ id: 'vpc-1', cidrBlock: '10.9.0.0/16' });
});
