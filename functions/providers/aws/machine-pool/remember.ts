import { isDeepStrictEqual } from 'node:util';
import { type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { warmPoolWish } from '../../../../shared/kinds/rules/pool-wishes.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withRecordOf, withTodaysDigests } from '../../../../shared/providers/aws/machine-pool/former-digests.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { DesiredTemplate, PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import type { ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { withCancelledRefresh } from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { PoolObjects } from './decide.ts';
import type { PoolDependencies } from './dependencies.ts';

/** Records the name of a group that was taken over: once the group is gone, only this shows whose its template is. */
export const rememberName = async (
  { objects }: PoolDependencies,
  awsPool: AWSMachinePool,
  name: string,
): Promise<void> => {
  if (name === groupNameOf(awsPool)) return;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withGroupMemory(current, { name }));
};

/**
 * Records which tags users have set, so that they can be removed when users no longer want them. Previous tags are
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

/**
 * Records whether the group's warm pool belongs to the pool: only then is it deleted if the pool no longer specifies
 * one.
 */
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

/**
 * Records the latest version of the template, which an execution may have created without recording it. Digests that an
 * earlier version of Windlass recorded are replaced once. Returns the pool with its record, and the observed pool with
 * current digests.
 */
export const rememberTemplate = async (
  { objects }: PoolDependencies,
  { awsPool }: PoolObjects,
  observed: ObservedPool,
  template: DesiredTemplate,
): Promise<{ awsPool: AWSMachinePool; observed: ObservedPool }> => {
  const today = withTodaysDigests(observed, template);
  if (!withRecordOf(awsPool, today)) return { awsPool, observed: today };
  const change = (current: AWSMachinePool) => withRecordOf(current, today);
  return { awsPool: (await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), change)) ?? awsPool, observed: today };
};

/**
 * Records that a refresh is about to be cancelled, before the call: if the execution dies in between, the next check
 * cancels it.
 */
export const rememberCancellation = async (
  { objects }: PoolDependencies,
  { awsPool }: PoolObjects,
  { refresh }: ObservedPool,
  actions: readonly PoolAction[],
): Promise<void> => {
  if (!refresh || !actions.some((action) => action.do === 'cancel-refresh')) return;
  await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withCancelledRefresh(current, refresh.id));
};
