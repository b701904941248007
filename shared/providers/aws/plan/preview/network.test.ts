import { expect, it } from 'vitest';
import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { networkNotes } from './network.ts';

type Subnets = NonNullable<NonNullable<AWSCluster['spec']['network']>['subnets']>;

const awsCluster = (subnets: Subnets, vpcId = 'vpc-1'): AWSCluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'red', namespace: 'default' },
  spec: { region: 'us-east-1', network: { vpc: { id: vpcId }, subnets } },
});

const notes = (before: Subnets, after: Subnets): string[] => {
  const cluster = { metadata: { name: 'red', namespace: 'default', uid: 'u' }, spec: {} } as Cluster;
  const placed = (subnets: Subnets) => ({ cluster, infrastructure: awsCluster(subnets) });
  return networkNotes(placed(after), placed(before));
};

const made = { id: 'red-private-a', isPublic: false, availabilityZone: 'us-east-1a', cidrBlock: '10.0.0.0/24' };
const brought = { id: 'subnet-0123456789abcdef0' };

it('a preview counts the subnets that a change creates', () => {
  const another = { ...made, id: 'red-private-b', availabilityZone: 'us-east-1b', cidrBlock: '10.0.1.0/24' };
  expect(notes([made], [made, another])).toEqual(['1 subnet more: us-east-1b 10.0.1.0/24']);
});

it('a preview does not count existing subnets, regardless of their entries', () => {
  const seen = { ...brought, availabilityZone: 'us-east-1a', cidrBlock: '10.0.2.0/24' };
  expect(notes([made, seen], [made, brought])).toEqual([]);
  expect(notes([{ ...made, resourceID: brought.id }], [brought])).toEqual([]);
});

it('a preview names the subnets of the user that are used in addition', () => {
  expect(notes([made], [made, brought])).toEqual([`uses 1 subnet more as it is: ${brought.id}`]);
});
