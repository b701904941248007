import { expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { desiredBucket } from './desired.ts';

const clusterWith = (s3Bucket: object): AWSCluster => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'red', namespace: 'default' },
  spec: { s3Bucket: { name: 'cluster-api-provider-aws-red', ...s3Bucket } },
});

const statementsOf = (s3Bucket: object) => {
  const name = { namespace: 'default', name: 'red', uid: 'u' };
  const place = { region: 'us-gov-west-1', accountId: '123456789012' };
  const { policy = '' } = desiredBucket(name as never, clusterWith(s3Bucket), place) ?? {};
  return (JSON.parse(policy) as { Statement: { Sid: string; Principal: object; Resource: string[] }[] }).Statement;
};

const additionalIAMRoles = [{ name: 'Karpenter', prefix: 'karpenter/*' }];

it('the bucket policy lets further roles read under their own prefixes', () => {
  expect(statementsOf({ additionalIAMRoles })).toContainEqual({
    Sid: 'additional0',
    Effect: 'Allow',
    Principal: { AWS: ['arn:aws-us-gov:iam::123456789012:role/Karpenter'] },
    Action: ['s3:GetObject'],
    Resource: ['arn:aws-us-gov:s3:::cluster-api-provider-aws-red/karpenter/*'],
  });
});

it.each([
  ['eu-central-1', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['eusc-de-east-1', 'aws-eusc'],
  ['us-iso-east-1', 'aws-iso'],
])('the bucket policy names the bucket in %s by an ARN of the partition %s', (region, partition) => {
  const { policy = '' } =
    desiredBucket({ namespace: 'default', name: 'red' }, clusterWith({}), { region, accountId: '123456789012' }) ?? {};
  expect(policy).toContain(`"arn:${partition}:s3:::cluster-api-provider-aws-red"`);
});

it('the bucket policy allows no reads by role if machines get URLs', () => {
  expect(statementsOf({ additionalIAMRoles, presignedURLDuration: '1h' }).map(({ Sid }) => Sid)).toEqual([
    'ForceSSLOnlyAccess',
  ]);
});
