/**
 * Many machines launched at the same time by functions that do not share state: the real pacing, the real turns with a
 * table in memory, AWS's buckets as the simulated account enforces them, and the waits of the SDK and of the workflows,
 * on a virtual clock.
 */
import type { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Pace } from '../../../../shared/aws/pace/pace.ts';
import { createPacer } from '../../../../shared/aws/pace/pacer.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { RETRY_POLICIES, type RetryPolicy, ThrottledError } from '../../../../shared/errors.ts';
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import { createTurns } from '../../../../shared/store/limits/turns.ts';
import { makeThrottling } from '../../../local/engines/wire/throttling.ts';
import { makeVirtualClock } from './virtual-clock.ts';

export interface LaunchFigures {
  machines: number;
  /** Whether functions take turns after calls have been throttled. */
  turns: boolean;
  seconds: number;
  /** Launches that the workflow has given up. */
  failed: number;
  throttled: number;
  /** Invocations of the function for each launch. */
  invocations: number;
  /** Updates of the table for each launch. */
  leases: number;
  /** The number of calls that AWS accepted in this time, relative to its limit. */
  share: number;
}

const CALL = { service: 'ec2', operation: 'RunInstances', region: 'home', input: { MinCount: 1, MaxCount: 1 } };
/** The limits of the bucket for calls. */
const [CAPACITY, PER_SECOND] = [5, 2];
const SDK_ATTEMPTS = 3;

const refused = () => Object.assign(new Error('no'), { name: 'ConditionalCheckFailedException', $metadata: {} });

/** A table that supports only the two updates of turns. */
const makeTable = () => {
  const items = new Map<string, number>();
  let writes = 0;
  const send = async ({ input }: UpdateCommand) => {
    writes += 1;
    const key = JSON.stringify(input.Key);
    const values = (input.ExpressionAttributeValues ?? {}) as Record<string, number>;
    const { ':first': first = 0, ':last': last = 0, ':taken': taken, ':next': next = 0 } = values;
    const known = items.get(key);
    const isQueued = taken !== undefined;
    const isFree = known === undefined || known < first;
    if (isQueued ? isFree || known > last : !isFree) throw refused();
    const nextAt = isQueued ? (known ?? 0) + taken : next;
    items.set(key, nextAt);
    return { Attributes: { nextAt } };
  };
  return { client: { send } as never, writes: () => writes };
};

/** One invocation of the function, with the retries of the SDK. True if the call was accepted. */
const makeInvoke = (clock: Clock, drawn: () => number, counts: { throttled: number; invocations: number }) => {
  const throttle = makeThrottling(clock);
  const attempt = async (pace: Pace): Promise<boolean> => {
    await pace.admit(CALL);
    try {
      throttle(CALL, CALL.input, 'account');
      return true;
    } catch {
      counts.throttled += 1;
      pace.refused(CALL);
      return false;
    }
  };
  return async (pace: Pace): Promise<boolean> => {
    counts.invocations += 1;
    try {
      for (let tried = 0; tried < SDK_ATTEMPTS; tried += 1) {
        if (await attempt(pace)) return true;
        await clock.sleep(500 * 2 ** tried * drawn());
      }
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
    }
    return false;
  };
};

const FREE: Pace = { admit: async () => {}, refused: () => {} };

/**
 * Launches this number of machines at the same time, with this number of processes. Without a share, they do not take
 * turns.
 */
export const launchAtOnce = async (options: {
  machines: number;
  processes: number;
  share?: number;
}): Promise<LaunchFigures> => {
  const { machines, processes, share } = options;
  const { clock, run } = makeVirtualClock();
  const drawn = seededNumbers(7);
  const table = makeTable();
  const turns = createTurns({ client: table.client, table: 'objects', clock });
  const paces = Array.from({ length: processes }, () => (share ? createPacer({ turns, clock, share })('home') : FREE));
  const counts = { throttled: 0, failed: 0, invocations: 0 };
  const invoke = makeInvoke(clock, drawn, counts);
  const policy = RETRY_POLICIES.Throttled as RetryPolicy;
  const launch = async (): Promise<void> => {
    const { intervalSeconds, backoffRate, maxDelaySeconds, maxAttempts } = policy;
    for (let tried = 0; tried <= maxAttempts; tried += 1) {
      if (await invoke(paces[Math.floor(drawn() * processes)] ?? FREE)) return;
      await clock.sleep(Math.min(maxDelaySeconds, intervalSeconds * backoffRate ** tried) * 1000 * drawn());
    }
    counts.failed += 1;
  };
  const seconds = await run(Promise.all(Array.from({ length: machines }, launch)));
  const { failed, throttled } = counts;
  const [invocations, leases] = [counts.invocations / machines, table.writes() / machines];
  const allowed = CAPACITY + PER_SECOND * seconds;
  return {
    ...{ machines, turns: share !== undefined, seconds, failed, throttled, invocations, leases },
    share: (machines - failed) / allowed,
  };
};
