/**
 * Back-pressure: while AWS refuses nothing, calls are made immediately and nothing is written or read. A process that
 * got a refusal takes turns with all others that did, by leases of tokens from the table, until there was no waiting
 * for a minute.
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
  /** The part of AWS's limits that is ours, above 0 and up to 1. */
  share: number;
  /** How long a call waits for its turn, in milliseconds; three seconds where left out. */
  patience?: number;
}

/** The pace of one account in one region. */
export type Pacer = (owner: string) => Pace;

/** For longer a step does not wait: the workflow does, which costs nothing meanwhile. */
const PATIENCE = 3_000;
/** How long after the last sign of contention calls are made without a lease again. */
const CROWDED = 60_000;

interface Queue {
  /** Until then tokens are leased. */
  crowdedUntil: number;
  /** Since AWS has refused a call nothing was leased. */
  isEmpty: boolean;
  /** The turn of a call; undefined if it is too late. */
  turn(): Promise<number | undefined>;
}

/** A bucket of one owner, in this process. Calls that ask at the same moment share a lease. */
const makeQueue = (
  { turns, clock, share, patience = PATIENCE }: PacerOptions,
  owner: string,
  bucket: RequestBucket,
): Queue => {
  const { name, capacity, tokens } = bucket;
  const budget = { owner, name, capacity: capacity * share, refillPerSecond: bucket.refillPerSecond * share };
  const spacing = millisecondsOf(budget) * tokens;
  /** What comes later than the patience lasts is not worth leasing. */
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
 * The relevant buckets. Those of EC2 belong to one action, and the slowest of them is used for the others; those of
 * ELBv2 are shared with other actions.
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

/** More than one function works for at a time. */
const KEPT = 100;

/** The pacer of one process. Paces of the same owner are the same. */
export const createPacer = (options: PacerOptions): Pacer => {
  const paces = new LRUCache<string, Pace>({ max: KEPT });
  return (owner) => {
    const pace = paces.get(owner) ?? paceOf(options, owner);
    paces.set(owner, pace);
    return pace;
  };
};
