import { BUCKET_ANNOTATION } from '../../../../shared/providers/aws/plan/bucket/desired.ts';
import { isOwnedBy } from '../../../../shared/providers/aws/tags.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { BucketDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/**
 * Deletes the cluster's own bucket, once its machines are gone; a bucket that still contains objects stays, because
 * clusters may share it.
 */
export const deleteBucket = async (deps: BucketDependencies, scope: InfrastructureScope): Promise<void> => {
  const { awsCluster } = scope;
  const name = awsCluster?.spec.s3Bucket?.name;
  if (!awsCluster || !name) return;
  const buckets = deps.buckets(scope.aws);
  const tags = await buckets.tags(name);
  if (tags === undefined) return;
  const isIntended = awsCluster.metadata.annotations?.[BUCKET_ANNOTATION] === name;
  if (!isOwnedBy(scope.name, tags) && !(isIntended && Object.keys(tags).length === 0)) return;
  const { normal, warning } = recorder(deps);
  const isGone = (await buckets.delete(name)) === 'deleted';
  if (isGone) await normal(awsCluster, 'SuccessfulDeleteBucket', `Deleted bucket ${name}`);
  else await warning(awsCluster, 'S3BucketNotEmpty', `The bucket ${name} still has objects and is kept`);
};
