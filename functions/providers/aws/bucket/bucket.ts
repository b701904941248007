import { describeAwsError, isDenied, isRefusal } from '../../../../shared/aws/errors.ts';
import { RefusedError } from '../../../../shared/errors.ts';
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
import { isOwnedBy, missingTags } from '../../../../shared/providers/aws/tags.ts';
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

/** The policy is set before the last tags: complete tags show that everything is done. */
const complete = async (
  deps: BucketDependencies,
  scope: LiveScope,
  buckets: Buckets,
  { name, policy, tags }: DesiredBucket,
): Promise<void> => {
  await buckets.setPolicy(name, policy);
  await buckets.tag(name, tags);
  const message = `Set the policy and the tags of bucket ${name}`;
  await recorder(deps).normal(scope.awsCluster, 'SuccessfulConfigureBucket', message);
};

const ensure = async (
  deps: BucketDependencies,
  scope: LiveScope,
  { buckets, accountId }: { buckets: Buckets; accountId: string },
  desired: DesiredBucket,
): Promise<void> => {
  const { name } = desired;
  // Bucket names are unique across all accounts: in another account's bucket, its owner could change what machines boot
  // from.
  const tags = await buckets.tags(name, accountId);
  const isIntended = intendedBuckets(scope.awsCluster).includes(name);
  if (tags === undefined) {
    await intend(deps, scope, name);
    await buckets.create(name, scope.aws.region ?? '', desired.firstTags);
    await recorder(deps).normal(scope.awsCluster, 'SuccessfulCreateBucket', `Created bucket ${name}`);
    return complete(deps, scope, buckets, desired);
  }
  if (belongsToAnotherNamespace(scope.name.namespace, tags))
    throw new RefusedError('it belongs to a cluster of another namespace and cannot be used');
  const isBare = Object.keys(tags).length === 0;
  const isOurs = isOwnedBy(scope.name, tags) || (isBare && isIntended);
  // Another owner's bucket is used unchanged.
  if (isOurs && Object.keys(missingTags(desired.tags, tags)).length > 0) {
    await complete(deps, scope, buckets, desired);
  }
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
    if (!isRefusal(error) && !isDenied(error) && !(error instanceof RefusedError)) throw error;
    await refuse(deps, scope, scope.awsCluster, error);
    return false;
  }
  await write(deps, scope, { type: 'S3BucketCreated', status: 'True' });
  return true;
};
