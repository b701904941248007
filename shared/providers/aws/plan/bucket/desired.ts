import { createHash } from 'node:crypto';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { findPartition } from '../../../../partitions.ts';
import { buildTags, type ClusterName, type Tags } from '../../tags.ts';

type Bucket = NonNullable<AWSCluster['spec']['s3Bucket']>;

/** The folders of a bucket, by the type of machines that read them. */
export const FOLDERS = { controlPlane: 'control-plane', node: 'node' } as const;

/**
 * The entry in an AWSCluster's record with the names of buckets that were missing and were created, separated by
 * spaces. Only these, and buckets with the cluster's tags, may be changed and deleted for the cluster.
 */
const BUCKETS = 'windlass.dev/bucket';

/** The buckets that were created for a cluster, including those that its spec no longer names. */
export const intendedBuckets = ({ metadata }: Pick<AWSCluster, 'metadata'>): string[] =>
  (metadata.annotations?.[BUCKETS] ?? '').split(' ').filter(Boolean);

/** The AWSCluster before the creation of a bucket; undefined if that is recorded already. */
export const withIntendedBucket = (awsCluster: AWSCluster, name: string): AWSCluster | undefined => {
  const before = intendedBuckets(awsCluster);
  if (before.includes(name)) return undefined;
  const annotations = { ...awsCluster.metadata.annotations, [BUCKETS]: [...before, name].join(' ') };
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations } };
};

/** The digest of the policy that was last set, so that reading the tags shows whether anything must be done. */
const POLICY_TAG = 'windlass.dev/policy';

export interface DesiredBucket {
  name: string;
  tags: Tags;
  /** The tags with which it is created, before it has its policy. */
  firstTags: Tags;
  policy: string;
}

/** Region and account of a cluster. */
interface Place {
  region: string;
  accountId: string;
}

/** Reads require encryption, and each role may only read its own folder, unless the machines get URLs. */
const policyOf = (bucket: Bucket, place: Place): string => {
  const partition = findPartition(place.region)?.name ?? 'aws';
  const arn = `arn:${partition}:s3:::${bucket.name}`;
  const allow = (role: string, prefix: string, id: string) => ({
    Sid: id.replaceAll(/[^A-Za-z0-9]/g, ''),
    Effect: 'Allow',
    Principal: { AWS: [`arn:${partition}:iam::${place.accountId}:role/${role}`] },
    Action: ['s3:GetObject'],
    Resource: [`${arn}/${prefix}`],
  });
  const allowFolder = (role: string, folder: string) => allow(role, `${folder}/*`, `${folder}-${role}`);
  const { controlPlaneIAMInstanceProfile: controlPlane, nodesIAMInstanceProfiles: nodes = [] } = bucket;
  const readers = [
    ...(controlPlane ? [allowFolder(controlPlane, FOLDERS.controlPlane)] : []),
    ...nodes.map((role) => allowFolder(role, FOLDERS.node)),
    ...(bucket.additionalIAMRoles ?? []).map(({ name, prefix }, index) => allow(name, prefix, `additional-${index}`)),
  ];
  const secure = {
    Sid: 'ForceSSLOnlyAccess',
    Effect: 'Deny',
    Principal: { AWS: ['*'] },
    Action: ['s3:*'],
    Resource: [arn, `${arn}/*`],
    Condition: { Bool: { 'aws:SecureTransport': false } },
  };
  const Statement = bucket.presignedURLDuration === undefined ? [secure, ...readers] : [secure];
  return JSON.stringify({ Version: '2012-10-17', Statement });
};

/** The desired bucket of a cluster; undefined if the spec has none. */
export const desiredBucket = (cluster: ClusterName, { spec }: AWSCluster, place: Place): DesiredBucket | undefined => {
  const bucket = spec.s3Bucket;
  if (!bucket) return undefined;
  const policy = policyOf(bucket, place);
  const extra = { [POLICY_TAG]: createHash('sha256').update(policy).digest('hex').slice(0, 16) };
  const common = { cluster, role: 'node', additional: spec.additionalTags };
  return {
    name: bucket.name,
    tags: buildTags({ ...common, extra }),
    firstTags: buildTags(common),
    policy,
  };
};
