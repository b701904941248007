import { createHash } from 'node:crypto';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { findPartition } from '../../../../partitions.ts';
import { buildTags, type ClusterName, type Tags } from '../../tags.ts';

type Bucket = NonNullable<AWSCluster['spec']['s3Bucket']>;

/** Folders of a bucket, by the kind of machines that read there. */
export const FOLDERS = { controlPlane: 'control-plane', node: 'node' } as const;

/**
 * The entry of an AWSCluster's memory with the names of the buckets that were missing and have been created, separated by
 * spaces: only those, and buckets with the cluster's tags, are the cluster's to change and to delete.
 */
const BUCKETS = 'windlass.dev/bucket';

/** The buckets that were created for a cluster, also if its spec no longer names them. */
export const intendedBuckets = ({ metadata }: Pick<AWSCluster, 'metadata'>): string[] =>
  (metadata.annotations?.[BUCKETS] ?? '').split(' ').filter(Boolean);

/** The AWSCluster before the creation of a bucket; undefined if that is recorded already. */
export const withIntendedBucket = (awsCluster: AWSCluster, name: string): AWSCluster | undefined => {
  const before = intendedBuckets(awsCluster);
  if (before.includes(name)) return undefined;
  const annotations = { ...awsCluster.metadata.annotations, [BUCKETS]: [...before, name].join(' ') };
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations } };
};

/** Records which policy was set last, so that reading the tags is enough to know whether anything must be done. */
const POLICY_TAG = 'windlass.dev/policy';

export interface DesiredBucket {
  name: string;
  tags: Tags;
  /** With which it is created, before it has its policy. */
  firstTags: Tags;
  policy: string;
}

/** Region and account of a cluster. */
interface Place {
  region: string;
  accountId: string;
}

/** No reads without encryption, and each role reads its own folder, unless the machines get URLs. */
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
