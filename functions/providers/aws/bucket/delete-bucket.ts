import { describeAwsError, isDenied, isNoSuchPlace } from '../../../../shared/aws/errors.ts';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import { intendedBuckets } from '../../../../shared/providers/aws/plan/bucket/desired.ts';
import { isOwnedBy, type Tags } from '../../../../shared/providers/aws/tags.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { BucketDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

type LiveInfrastructure = InfrastructureScope & { awsCluster: AWSCluster };

/**
 * The tags of a bucket; undefined if there is nothing to delete. If a bucket may not be read (because it is in another
 * account or elsewhere, or the roles do not cover its name), it was created for the cluster only if there is a record
 * of it.
 */
const readTags = async (
  deps: BucketDependencies,
  { aws, awsCluster }: LiveInfrastructure,
  name: string,
): Promise<Tags | undefined> => {
  try {
    return await deps.buckets(aws).tags(name);
  } catch (error) {
    const isUnreadable = isDenied(error) || isNoSuchPlace(error);
    if (!isUnreadable || intendedBuckets(awsCluster).includes(name)) throw error;
    const message = `The bucket ${name} is kept: it cannot be read, and nothing shows that it was created for this cluster: ${describeAwsError(error)}`;
    await recorder(deps).warning(awsCluster, 'S3BucketKept', message);
    return undefined;
  }
};

const deleteOne = async (deps: BucketDependencies, scope: LiveInfrastructure, name: string): Promise<void> => {
  const { awsCluster } = scope;
  const buckets = deps.buckets(scope.aws);
  const tags = await readTags(deps, scope, name);
  if (tags === undefined) return;
  const isIntended = intendedBuckets(awsCluster).includes(name);
  if (!isOwnedBy(scope.name, tags) && !(isIntended && Object.keys(tags).length === 0)) return;
  const { normal, warning } = recorder(deps);
  const isGone = (await buckets.delete(name)) === 'deleted';
  if (isGone) await normal(awsCluster, 'SuccessfulDeleteBucket', `Deleted bucket ${name}`);
  else await warning(awsCluster, 'S3BucketNotEmpty', `The bucket ${name} still has objects and is kept`);
};

/**
 * Deletes the cluster's own buckets once its machines are gone: the one that the spec names, and those that it named
 * before. A bucket that still contains objects stays, because clusters may share it.
 */
export const deleteBucket = async (deps: BucketDependencies, scope: InfrastructureScope): Promise<void> => {
  const { awsCluster } = scope;
  if (!awsCluster) return;
  const named = awsCluster.spec.s3Bucket?.name;
  const names = new Set([...(named ? [named] : []), ...intendedBuckets(awsCluster)]);
  for (const name of names) await deleteOne(deps, { ...scope, awsCluster }, name);
};
