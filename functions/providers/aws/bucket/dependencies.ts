import type { Clock } from '../../../../shared/clock.ts';
import type { Buckets } from '../../../../shared/providers/aws/api/buckets.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { ScopeDependencies } from '../infrastructure/scope.ts';

/** What the bucket of a cluster is made with. */
export interface BucketDependencies extends ScopeDependencies {
  buckets: PerScope<Buckets>;
  /** The account of the stack; where a cluster has no identity of another, its roles may read. */
  accountId: string;
  clock: Clock;
}
