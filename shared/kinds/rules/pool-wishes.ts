import * as z from 'zod';
import { tryJson } from '../../decode/json.ts';
import type { AWSMachinePool } from '../aws-machine-pool/schema.ts';
import { one, type Wishes } from './wish.ts';

/* Settings of an Auto Scaling group in annotations of an AWSMachinePool, because the kind has no fields for them. */

/** `Enabled`: new instances are protected when the group shrinks. Absent: the group's setting is left unchanged. */
const PROTECTION = 'windlass.dev/scale-in-protection';

/** JSON: preferences for instance refreshes, in addition to `spec.refreshPreferences`. */
const REFRESH = 'windlass.dev/refresh-preferences';

/** JSON: the warm pool of the group; absent: it has none. */
const WARM_POOL = 'windlass.dev/warm-pool';

/** The limits of a lifecycle hook. */
const PREPARATION_SECONDS = { least: 30, usual: 300, most: 7200 };

/** At most two days may pass between two checkpoints. */
const MOST_DELAY_SECONDS = 172_800;

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, index) => value > (values[index - 1] ?? 0));

/** With AWS's own rules. The names are AWS's, except for the first letter. */
const refreshPreferences = z
  .strictObject({
    skipMatching: z.boolean(),
    checkpointPercentages: z.array(z.int().min(1).max(100)).min(1).refine(isAscending),
    checkpointDelay: z.int().min(0).max(MOST_DELAY_SECONDS),
    scaleInProtectedInstances: z.enum(['Refresh', 'Ignore', 'Wait']),
    standbyInstances: z.enum(['Terminate', 'Ignore', 'Wait']),
  })
  .partial()
  .refine(({ checkpointDelay, checkpointPercentages }) => checkpointDelay === undefined || checkpointPercentages);

export type FurtherRefreshPreferences = z.infer<typeof refreshPreferences>;

const isPreferences = (text: string): boolean => refreshPreferences.safeParse(tryJson(text)).success;

/** AWS's MinSize, MaxGroupPreparedCapacity and PoolState, and how long its instances prepare themselves. */
const warmPoolSchema = z.strictObject({
  minSize: z.int().min(0).default(0),
  maxGroupPreparedCapacity: z.int().min(0).optional(),
  poolState: z.enum(['Stopped', 'Running']).default('Stopped'),
  preparationSeconds: z
    .int()
    .min(PREPARATION_SECONDS.least)
    .max(PREPARATION_SECONDS.most)
    .default(PREPARATION_SECONDS.usual),
});

export type WarmPoolWish = z.infer<typeof warmPoolSchema>;

const isWarmPool = (text: string): boolean => warmPoolSchema.safeParse(tryJson(text)).success;

export const POOL_WISHES: Wishes = {
  [PROTECTION]: { kinds: ['AWSMachinePool'], schema: one('Enabled', 'Disabled') },
  [WARM_POOL]: {
    kinds: ['AWSMachinePool'],
    schema: z.string().refine(isWarmPool, {
      error:
        'must be JSON with any of minSize, maxGroupPreparedCapacity, poolState (Stopped or Running) and preparationSeconds (30 to 7200); hibernation and an instance reuse policy are not supported',
    }),
  },
  [REFRESH]: {
    kinds: ['AWSMachinePool'],
    schema: z.string().refine(isPreferences, {
      error:
        'must be JSON with any of skipMatching (true or false), checkpointPercentages (ascending, 1 to 100), checkpointDelay (seconds, at most 172800, with checkpointPercentages), scaleInProtectedInstances (Refresh, Ignore or Wait) and standbyInstances (Terminate, Ignore or Wait)',
    }),
  },
};

/** Whether new instances are protected from scale-in; undefined if the pool does not manage this. */
export const scaleInProtection = ({ metadata }: Pick<AWSMachinePool, 'metadata'>): boolean | undefined => {
  const wish = metadata.annotations?.[PROTECTION];
  return wish === undefined ? undefined : wish === 'Enabled';
};

/** The admitted preferences; empty if an object of another origin contains other values. */
export const furtherRefreshPreferences = ({ metadata }: Pick<AWSMachinePool, 'metadata'>): FurtherRefreshPreferences =>
  refreshPreferences.safeParse(tryJson(metadata.annotations?.[REFRESH] ?? '')).data ?? {};

/** The warm pool that a pool requests. */
export const warmPoolWish = ({ metadata }: Pick<AWSMachinePool, 'metadata'>): WarmPoolWish | undefined =>
  warmPoolSchema.safeParse(tryJson(metadata.annotations?.[WARM_POOL] ?? '')).data;

/**
 * The field of a pool that excludes a warm pool, and why; undefined if there is none. The first two rules are AWS's.
 */
export const warmPoolProblem = (
  pool: Pick<AWSMachinePool, 'metadata' | 'spec'>,
): { field: string; why: string } | undefined => {
  const wish = warmPoolWish(pool);
  if (!wish || !pool.spec) return undefined;
  const { awsLaunchTemplate: launch, mixedInstancesPolicy: mixed, minSize = 1 } = pool.spec;
  const spot = 'a group with a warm pool cannot launch spot instances';
  if (launch.spotMarketOptions || launch.marketType === 'Spot')
    return {
      field: `spec.awsLaunchTemplate.${launch.spotMarketOptions ? 'spotMarketOptions' : 'marketType'}`,
      why: spot,
    };
  if ((mixed?.instancesDistribution?.onDemandPercentageAboveBaseCapacity ?? 100) < 100)
    return {
      field: 'spec.mixedInstancesPolicy.instancesDistribution.onDemandPercentageAboveBaseCapacity',
      why: spot,
    };
  if (wish.maxGroupPreparedCapacity !== undefined && wish.maxGroupPreparedCapacity < minSize)
    return { field: 'spec.minSize', why: `must not be more than maxGroupPreparedCapacity of ${WARM_POOL}` };
  if (launch.instanceMetadataOptions?.httpEndpoint === 'disabled')
    return {
      field: 'spec.awsLaunchTemplate.instanceMetadataOptions.httpEndpoint',
      why: 'instances of a warm pool read from their metadata when they are put in service',
    };
  return undefined;
};
