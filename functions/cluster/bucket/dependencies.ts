import type { Buckets } from '../../../shared/aws/buckets.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';

/** What the bucket of a cluster is made with. */
export interface BucketDependencies {
  objects: ObjectClient;
  /** S3 of a region. */
  buckets: (region: string | undefined) => Buckets;
  /** The account of the stack, whose roles may read. */
  accountId: string;
  clock: Clock;
}
