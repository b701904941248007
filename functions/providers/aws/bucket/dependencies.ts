import type { Clock } from '../../../../shared/clock.ts';
import type { Buckets } from '../../../../shared/providers/aws/api/buckets.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { ScopeDependencies } from '../infrastructure/scope.ts';

/** The dependencies of the steps for a cluster's bucket. */
export interface BucketDependencies extends ScopeDependencies {
  buckets: PerScope<Buckets>;
  /** The stack's account: its roles may read the objects of a cluster that has no identity in another account. */
  accountId: string;
  clock: Clock;
}
