import { normal, warning } from '../../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../../shared/events/recorder.ts';

/** Reasons of events that are recorded about the bucket of a cluster. */
export const BUCKET_REASONS = {
  SuccessfulCreateBucket: normal({ AWSCluster: 'Its bucket was created.' }),
  SuccessfulConfigureBucket: normal({ AWSCluster: 'The policy and the tags of its bucket were set.' }),
  SuccessfulDeleteBucket: normal({ AWSCluster: 'Its bucket was deleted.' }),
  S3BucketCreationFailed: warning({
    AWSCluster: 'Its bucket cannot be reconciled until a user changes something.',
  }),
  S3BucketKept: warning({
    AWSCluster:
      'A bucket is kept on deletion: it cannot be read, and nothing shows that it was created for the cluster.',
  }),
  S3BucketNotEmpty: warning({ AWSCluster: 'Its bucket is kept on deletion, because it contains objects.' }),
};

export const recorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof BUCKET_REASONS>(deps, 'cluster-load-balancer');
