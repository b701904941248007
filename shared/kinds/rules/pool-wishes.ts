import * as z from 'zod';
import { tryJson } from '../../decode/json.ts';
import type { AWSMachinePool } from '../aws-machine-pool/schema.ts';
import { one, type Wishes } from './wish.ts';

/*
 * What users may ask of an Auto Scaling group by annotations of an AWSMachinePool, because the kind has no field for it.
 */

/** `Enabled`: new instances are spared when the group shrinks; absent: the group stays as it is. */
const PROTECTION = 'windlass.dev/scale-in-protection';

/** JSON: preferences of instance refreshes beside `spec.refreshPreferences`. */
const REFRESH = 'windlass.dev/refresh-preferences';

/** At most two days may pass between two checkpoints. */
const MOST_DELAY_SECONDS = 172_800;

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, index) => value > (values[index - 1] ?? 0));

/** With AWS's own rules, whose names they have but for the first letter. */
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

export const POOL_WISHES: Wishes = {
  [PROTECTION]: { kinds: ['AWSMachinePool'], schema: one('Enabled', 'Disabled') },
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

/** What was admitted; nothing where an object of another origin says something else. */
export const furtherRefreshPreferences = ({ metadata }: Pick<AWSMachinePool, 'metadata'>): FurtherRefreshPreferences =>
  refreshPreferences.safeParse(tryJson(metadata.annotations?.[REFRESH] ?? '')).data ?? {};
