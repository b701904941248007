import { expect, it } from 'vitest';
import type { AWSCluster, Cluster } from '../../../../kinds/index.ts';
import { OWNER_TAG, type Tags } from '../../tags.ts';
import { withSettled } from './settled.ts';
import { givesOwnership, isVpcDeletable, isVpcOnRecord, ownVpcDigest } from './vpc-ownership.ts';

const cluster = (policy?: string): Cluster =>
  ({
    metadata: { name: 'red', ...(policy ? { annotations: { 'windlass.dev/on-drift': policy } } : {}) },
  }) as unknown as Cluster;

const naming = (id?: string): AWSCluster =>
  ({ metadata: { name: 'red' }, spec: id === undefined ? {} : { network: { vpc: { id } } } }) as unknown as AWSCluster;

const recorded = withSettled(naming('vpc-1'), { vpc: ownVpcDigest('vpc-1') });
const usersVpc = naming('vpc-1');
const exchanged = withSettled(naming('vpc-2'), { vpc: ownVpcDigest('vpc-1') });
const nameless = withSettled(naming(), { vpc: ownVpcDigest(undefined) });

it('a VPC is on record as that of the cluster if the AWSCluster still names it', () => {
  expect([recorded, usersVpc, exchanged, nameless].map(isVpcOnRecord)).toEqual([true, false, false, false]);
});

it.each([
  { reason: 'the tag would have been restored', policy: 'VpcOwnership=Repair', awsCluster: recorded, isDeleted: true },
  { reason: 'a lost tag is only reported', policy: undefined, awsCluster: recorded, isDeleted: false },
  { reason: 'the cluster never had it', policy: 'VpcOwnership=Repair', awsCluster: usersVpc, isDeleted: false },
  {
    reason: 'the spec has named another one since',
    policy: 'VpcOwnership=Repair',
    awsCluster: exchanged,
    isDeleted: false,
  },
  { reason: 'there is no AWSCluster', policy: 'VpcOwnership=Repair', awsCluster: null, isDeleted: false },
])('a VPC without its tag is deleted with the cluster: $isDeleted, because $reason', (row) => {
  expect(isVpcDeletable({ cluster: cluster(row.policy), awsCluster: row.awsCluster })).toBe(row.isDeleted);
});

it.each<{ kind: 'vpc' | 'subnet'; tags: Tags; gives: boolean }>([
  { kind: 'vpc', tags: { [OWNER_TAG]: 'default/red' }, gives: true },
  { kind: 'vpc', tags: { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' }, gives: true },
  { kind: 'vpc', tags: { env: 'prod' }, gives: false },
  { kind: 'subnet', tags: { [OWNER_TAG]: 'default/red' }, gives: false },
])('tags $tags of a $kind restore the ownership of a VPC: $gives', ({ kind, tags, gives }) => {
  expect(givesOwnership({ type: 'CreateTags', kind, resourceId: 'id', tags })).toBe(gives);
});
