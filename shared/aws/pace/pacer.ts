/**
 * Back-pressure. While AWS throttles nothing, calls are made immediately, and nothing is written or read. A process
 * whose call was throttled takes turns with all other such processes by leasing tokens from the table, until no call
 * has had to wait for a minute.
 */
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { ThrottledError } from '../../errors.ts';
import { type RequestBucket, requestBucketsOf } from '../request-buckets.ts';
import type { Pace, PacedCall } from './pace.ts';
import { type Lease, millisecondsOf, type Turns } from './turns.ts';

export interface PacerOptions {
  turns: Turns;
  clock: Clock;
  /** The share of AWS's limits that we use, above 0 and up to 1. */
  share: number;
  /** How long a call waits for its turn, in milliseconds. The default is three seconds. */
  patience?: number;
}

/** The pace of one account in one region. */
export type Pacer = (owner: string) => Pace;

/** A step does not wait longer: the workflow waits instead, which costs nothing. */
const PATIENCE = 3_000;
/** How long after the last sign of contention tokens are still leased. */
const CROWDED = 60_000;

interface Queue {
  /** Tokens are leased until this time. */
  crowdedUntil: number;
  /** Nothing was leased since AWS has throttled a call. */
  isEmpty: boolean;
  /** The time at which a call may be made; undefined if that is too late. */
  turn(): Promise<number | undefined>;
}

/** A bucket of one owner, in this process. Concurrent calls share a lease. */
const makeQueue = (
  { turns, clock, share, patience = PATIENCE }: PacerOptions,
  owner: string,
  bucket: RequestBucket,
): Queue => {
  const { name, capacity, tokens } = bucket;
  const budget = { owner, name, capacity: capacity * share, refillPerSecond: bucket.refillPerSecond * share };
  const spacing = millisecondsOf(budget) * tokens;
  /** Tokens that become free after the longest wait are not worth leasing. */
  const most = Math.max(1, Math.floor(patience / spacing));
  const now = () => clock.now().getTime();
  const leased = async (count: number): Promise<Lease | undefined> => {
    const { isEmpty } = queue;
    queue.isEmpty = false;
    const lease = await turns.lease(budget, count * tokens, { isEmpty, patience });
    if (!lease || lease.at > now()) queue.crowdedUntil = now() + CROWDED;
    return lease;
  };
  const turnsOf = async (calls: readonly number[]): Promise<(number | undefined)[]> => {
    const count = Math.min(calls.length, most);
    const lease = await leased(count);
    return calls.map((_, index) => (lease && index < count ? lease.at + index * lease.every * tokens : undefined));
  };
  const loader = new DataLoader(turnsOf, { cache: false });
  const queue: Queue = { crowdedUntil: 0, isEmpty: false, turn: () => loader.load(0) };
  return queue;
};

/**
 * The relevant buckets. Each bucket of EC2 belongs to one action, and the slowest of them represents the others. The
 * buckets of ELBv2 are shared with other actions.
 */
const decisive = ({ service, operation, input }: PacedCall): readonly RequestBucket[] => {
  const buckets = requestBucketsOf(service, operation, input);
  if (service !== 'ec2') return buckets;
  const slowest = buckets.toSorted((a, b) => b.tokens / b.refillPerSecond - a.tokens / a.refillPerSecond)[0];
  return slowest ? [slowest] : [];
};

const paceOf = (options: PacerOptions, owner: string): Pace => {
  const { clock } = options;
  const queues = new Map<string, Queue>();
  const now = () => clock.now().getTime();
  const queueOf = (bucket: RequestBucket): Queue => {
    const key = `${bucket.name} ${bucket.tokens}`;
    const queue = queues.get(key) ?? makeQueue(options, owner, bucket);
    queues.set(key, queue);
    return queue;
  };
  return {
    admit: async (call) => {
      const crowded = decisive(call)
        .map(queueOf)
        .filter((queue) => queue.crowdedUntil > now());
      const turns = await Promise.all(crowded.map((queue) => queue.turn()));
      if (turns.includes(undefined))
        throw new ThrottledError(
          `${call.operation} waits for its turn: AWS limits how often it may be called (${owner})`,
        );
      const wait = Math.max(0, ...turns.map((turn = 0) => turn - now()));
      if (wait > 0) await clock.sleep(wait);
    },
    refused: (call) => {
      for (const queue of decisive(call).map(queueOf)) {
        queue.crowdedUntil = now() + CROWDED;
        queue.isEmpty = true;
      }
    },
  };
};

/** More than one function uses concurrently. */
const KEPT = 100;

/** The pacer of one process. It returns the same pace for the same owner. */
export const createPacer = (options: PacerOptions): Pacer => {
  const paces = new LRUCache<string, Pace>({ max: KEPT });
  return (owner) => {
    const pace = paces.get(owner) ?? paceOf(options, owner);
    paces.set(owner, pace);
    return pace;
  };
};
