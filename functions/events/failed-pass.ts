/**
 * Step Functions reports passes that died. Otherwise, the lease of such a pass would block the cluster until the lease
 * expires and a sweep runs.
 */
import * as z from 'zod';
import { tryJson } from '../../shared/decode/json.ts';
import type { EventDependencies } from './dependencies.ts';

const eventSchema = z.object({
  source: z.literal('aws.states'),
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({ status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']), input: z.string() }),
});

const inputSchema = z.object({
  cluster: z.object({ namespace: z.string(), name: z.string(), uid: z.string() }),
  holder: z.string(),
});

/** A pass over a cluster whose execution ended without releasing its lease. */
export interface FailedPass extends z.infer<typeof inputSchema> {
  /** A user stopped the pass; it did not fail. */
  isAborted: boolean;
}

/** The failed pass in an event of EventBridge; undefined for other events. */
export const readFailedPass = (event: unknown): FailedPass | undefined => {
  const { data } = eventSchema.safeParse(event);
  const input = data && inputSchema.safeParse(tryJson(data.detail.input)).data;
  return input && { ...input, isAborted: data.detail.status === 'ABORTED' };
};

export type FailedPassDependencies = Pick<EventDependencies, 'touch' | 'log' | 'work'>;

/**
 * Releases the lease of a pass that died, and counts the failure. The first time the next pass starts immediately; a
 * pass that dies again, or was stopped manually, is left to the sweep. Safe to repeat: without the lease nothing
 * happens. True if a lease was released.
 */
export const passFailed = async (
  { work, touch, log }: FailedPassDependencies,
  { cluster, holder, isAborted }: FailedPass,
): Promise<boolean> => {
  const current = await work.get(cluster);
  if (current?.holder !== holder) return false;
  const { held, attempts } = await work.release(cluster, holder, { failed: true });
  if (!held) return false;
  const isRestarted = !isAborted && attempts <= 1;
  log.warn('a pass died and gave its lease back', { ...cluster, holder, isAborted, isRestarted });
  if (isRestarted) await touch(cluster);
  return true;
};
