/** The cluster of test-objects.ts on AWS, for tests. */
import type { AWSCluster } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP } from '../../../shared/plan/labels.ts';
import type { ClusterObjects } from './objects.ts';
import { clusterOf, condition } from './test-objects.ts';

const subnet = (id: string, zone: string, more: object) => ({ id, resourceID: id, availabilityZone: zone, ...more });

/** Its network in us-east-1: two zones, of which the first has a private subnet and a NAT gateway. */
export const AWS_CLUSTER = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { namespace: 'default', name: 'demo' },
  spec: {
    region: 'us-east-1',
    controlPlaneLoadBalancer: { loadBalancerType: 'nlb', scheme: 'internet-facing' },
    network: {
      vpc: { id: 'vpc-1', cidrBlock: '10.0.0.0/16' },
      subnets: [
        subnet('subnet-2', 'us-east-1a', { cidrBlock: '10.0.64.0/18', isPublic: false }),
        subnet('subnet-1', 'us-east-1a', { cidrBlock: '10.0.0.0/20', isPublic: true, natGatewayId: 'nat-1' }),
        subnet('subnet-3', 'us-east-1b', { cidrBlock: '10.0.16.0/20', isPublic: true }),
      ],
    },
  },
  status: {
    networkStatus: {
      apiServerElb: {
        name: 'demo-apiserver',
        dnsName: 'demo.elb.example',
        loadBalancerType: 'nlb',
        scheme: 'internet-facing',
        availabilityZones: ['us-east-1a', 'us-east-1b'],
      },
    },
    conditions: ['VpcReady', 'NatGatewaysReady', 'LoadBalancerReady'].map((type) => condition(type, 'True')),
  },
} as unknown as AWSCluster;

const referring = <T extends KubeObject>(object: T, kind: string): T => ({
  ...object,
  spec: {
    ...(object as { spec?: object }).spec,
    infrastructureRef: { apiGroup: GROUP.infrastructure, kind, name: object.metadata.name },
  },
});

const instance = (name: string): KubeObject =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { namespace: 'default', name },
    spec: { instanceType: 't3.large', rootVolume: { size: 40, type: 'gp3' } },
  }) as KubeObject;

/** Two machines, both in us-east-1a; their instances have prices. */
export const onAws = (awsCluster: AWSCluster = AWS_CLUSTER): ClusterObjects => {
  const objects = clusterOf();
  const machines = objects.machines.map((machine) => {
    const named = { ...machine, spec: { ...machine.spec, clusterName: 'demo' } };
    return referring(named, 'AWSMachine');
  });
  return {
    ...objects,
    cluster: referring(objects.cluster, 'AWSCluster'),
    infrastructure: awsCluster,
    machines,
    instances: new Map(machines.map(({ metadata: { name } }) => [name, instance(name)])),
  };
};
