import { isDeepStrictEqual } from 'node:util';
import { type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { warmPoolWish } from '../../../../shared/kinds/rules/pool-wishes.ts';
import { withDigestsOf, withTodaysDigests } from '../../../../shared/providers/aws/machine-pool/former-digests.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { DesiredTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import type { ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import type { PoolObjects } from './decide.ts';
import type { PoolDependencies } from './dependencies.ts';

const keyOf = ({ metadata }: AWSMachinePool) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

/**
 * Records which tags users have set, so that they can be removed when users no longer want them. The previous ones are
 * forgotten only when nothing is left to do.
 */
export const rememberTags = async (
  { objects }: PoolDependencies,
  { awsPool, awsCluster }: PoolObjects,
  { tagKeys: before }: ObservedPool,
  isOver: boolean,
): Promise<void> => {
  const wanted = Object.keys({ ...awsCluster.spec.additionalTags, ...awsPool.spec?.additionalTags });
  const tagKeys = [...new Set([...wanted, ...(isOver ? [] : before)])].sort();
  if (isDeepStrictEqual(before, tagKeys)) return;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withGroupMemory(current, { tagKeys }));
};

/** Whether the group's warm pool is the pool's own: only then it is deleted when the pool specifies none any more. */
export const rememberWarmPool = async (
  { objects }: PoolDependencies,
  { awsPool }: PoolObjects,
  { group }: ObservedPool,
): Promise<void> => {
  const { warmPool = false } = readGroupMemory(awsPool);
  const isOwn = warmPoolWish(awsPool) !== undefined || (warmPool && group?.warm !== undefined);
  if (isOwn === warmPool) return;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withGroupMemory(current, { warmPool: isOwn || undefined }),
  );
};

/** Replaces digests that an earlier version of Windlass recorded for the template, once; the observed pool with today's. */
export const rememberDigests = async (
  { objects }: PoolDependencies,
  { awsPool }: PoolObjects,
  observed: ObservedPool,
  template: DesiredTemplate,
): Promise<ObservedPool> => {
  const today = withTodaysDigests(observed, template);
  if (today !== observed)
    await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withDigestsOf(current, today));
  return today;
};
