import { describeAwsError, isBucketOurs, isDenied, isPermanent } from '../../../../shared/aws/errors.ts';
import { RefusedError, TransientError } from '../../../../shared/errors.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import { type LegacyClaim, withLegacyCondition } from '../../../../shared/plan/status/legacy-conditions.ts';
import type { Buckets } from '../../../../shared/providers/aws/api/buckets.ts';
import {
  type DesiredBucket,
  desiredBucket,
  intendedBuckets,
  withIntendedBucket,
} from '../../../../shared/providers/aws/plan/bucket/desired.ts';
import { belongsToAnotherNamespace } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import { isOwnedBy, missingTags, type Tags } from '../../../../shared/providers/aws/tags.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { BucketDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

const write = async ({ objects, clock }: BucketDependencies, { key }: LiveScope, claim: LegacyClaim) => {
  await objects.mutate(kinds.awsCluster, key, (current) =>
    current.metadata.deletionTimestamp ? undefined : withLegacyCondition(current, claim, clock.now()),
  );
};

/**
 * Records that the bucket was missing. This distinguishes a new bucket, which has no tags yet, from another owner's.
 */
const intend = async ({ objects }: BucketDependencies, { key }: LiveScope, name: string): Promise<void> => {
  await objects.mutate(kinds.awsCluster, key, (current) => withIntendedBucket(current, name));
};

/**
 * The policy is set before the last tags: complete tags show that everything is done. S3 replaces all tags of a bucket,
 * so those that others have added are set again. Those of AWS itself stay, and a caller must not name them.
 */
const complete = async (
  deps: BucketDependencies,
  scope: LiveScope,
  buckets: Buckets,
  { desired, tags: seen = {} }: { desired: DesiredBucket; tags?: Tags },
): Promise<void> => {
  const { name, policy, tags } = desired;
  const others = Object.entries(seen).filter(([key]) => !key.startsWith('aws:'));
  await buckets.setPolicy(name, policy);
  await buckets.tag(name, { ...Object.fromEntries(others), ...tags });
  const message = `Set the policy and the tags of bucket ${name}`;
  await recorder(deps).normal(scope.awsCluster, 'SuccessfulConfigureBucket', message);
};

interface Place {
  buckets: Buckets;
  accountId: string;
}

/** False if the account already has the bucket: a lost request or another run has created it since it was missing. */
const create = async (
  deps: BucketDependencies,
  scope: LiveScope,
  { buckets }: Place,
  { name, firstTags }: DesiredBucket,
): Promise<boolean> => {
  await intend(deps, scope, name);
  try {
    await buckets.create(name, scope.aws.region ?? '', firstTags);
  } catch (error) {
    if (isBucketOurs(error)) return false;
    throw error;
  }
  await recorder(deps).normal(scope.awsCluster, 'SuccessfulCreateBucket', `Created bucket ${name}`);
  return true;
};

/** Completes an existing bucket if it is the cluster's. Another owner's bucket is used unchanged. */
const use = async (
  deps: BucketDependencies,
  scope: LiveScope,
  { buckets }: Place,
  { desired, tags, isIntended }: { desired: DesiredBucket; tags: Tags; isIntended: boolean },
): Promise<void> => {
  if (belongsToAnotherNamespace(scope.name.namespace, tags))
    throw new RefusedError('it belongs to a cluster of another namespace and cannot be used');
  const isBare = Object.keys(tags).length === 0;
  const isOurs = isOwnedBy(scope.name, tags) || (isBare && isIntended);
  if (isOurs && Object.keys(missingTags(desired.tags, tags)).length > 0) {
    await complete(deps, scope, buckets, { desired, tags });
  }
};

const ensure = async (
  deps: BucketDependencies,
  scope: LiveScope,
  place: Place,
  desired: DesiredBucket,
): Promise<void> => {
  const { name } = desired;
  // Bucket names are unique across all accounts: in another account's bucket, its owner could change what machines boot
  // from.
  const look = () => place.buckets.tags(name, place.accountId);
  const before = await look();
  if (before) {
    const isIntended = intendedBuckets(scope.awsCluster).includes(name);
    return use(deps, scope, place, { desired, tags: before, isIntended });
  }
  if (await create(deps, scope, place, desired)) return complete(deps, scope, place.buckets, { desired });
  const tags = await look();
  if (!tags) throw new TransientError(`S3 does not show bucket ${name} yet`);
  return use(deps, scope, place, { desired, tags, isIntended: true });
};

const refuse = async (deps: BucketDependencies, scope: LiveScope, awsCluster: AWSCluster, error: unknown) => {
  const message = `spec.s3Bucket.name ${awsCluster.spec.s3Bucket?.name}: ${describeAwsError(error)}`;
  await write(deps, scope, {
    type: 'S3BucketCreated',
    status: 'False',
    severity: 'Error',
    reason: 'S3BucketCreationFailed',
    message,
  });
  await recorder(deps).warning(awsCluster, 'S3BucketCreationFailed', message);
};

/**
 * Creates the cluster's bucket, with its policy and tags. An existing bucket that does not belong to the cluster is
 * left unchanged. If false, a condition and an event say what a user must change. Throws temporary errors.
 */
export const ensureBucket = async (deps: BucketDependencies, scope: LiveScope): Promise<boolean> => {
  const accountId = (await scope.aws.identity.account?.()) ?? deps.accountId;
  const desired = desiredBucket(scope.name, scope.awsCluster, { region: scope.aws.region ?? '', accountId });
  if (!desired) return true;
  try {
    await ensure(deps, scope, { buckets: deps.buckets(scope.aws), accountId }, desired);
  } catch (error) {
    if (!isPermanent(error) && !isDenied(error) && !(error instanceof RefusedError)) throw error;
    await refuse(deps, scope, scope.awsCluster, error);
    return false;
  }
  await write(deps, scope, { type: 'S3BucketCreated', status: 'True' });
  return true;
};
