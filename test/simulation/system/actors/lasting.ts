/** Faults that last for some time, and what they do to the event bus and to descriptions. */
import type { Account } from '../../../../infra/local/account.ts';
import type { BusEvent, EventBus } from '../../../../infra/local/engines/events/bus.ts';
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import type { HappeningKind } from '../faults/kinds.ts';

/** How long temporary faults last by default; several passes see them. */
export const WHILE_MILLISECONDS = 60_000;
/** Longer than Step Functions retries other failures of a function. */
export const CONCURRENCY_MILLISECONDS = 180_000;

const REPEATED_MILLISECONDS = 30_000;
/** Late events are delivered by this time, in any order. */
const LATE_MILLISECONDS = 60_000;
/** CloudTrail delivers events within about five minutes, in any order. */
const TRAIL_MILLISECONDS = 300_000;
const TRAIL = 'AWS API Call via CloudTrail';

export interface LastingOptions {
  wait(milliseconds: number): Promise<void>;
  /** Determines the delays of events. */
  seed: number;
}

export const makeLasting = ({ wait, seed }: LastingOptions) => {
  const going = new Set<HappeningKind>();
  const effective = new Set<HappeningKind>();
  /** The kinds of lagging descriptions, with their lags in milliseconds. */
  const lags = new Map<HappeningKind, number>();
  const below = seededNumbers(seed);
  const isOn = (kind: HappeningKind): boolean => going.has(kind);
  /** Whether the fault is active; it then counts as a fault that did something. */
  const affects = (kind: HappeningKind): boolean => {
    if (isOn(kind)) effective.add(kind);
    return isOn(kind);
  };
  const last = async (kind: HappeningKind, milliseconds = WHILE_MILLISECONDS): Promise<boolean> => {
    effective.delete(kind);
    going.add(kind);
    await wait(milliseconds);
    going.delete(kind);
    return effective.has(kind);
  };
  return {
    isOn,
    affects,
    /** Resolves to whether the fault did anything. */
    last,
    /** Makes a bus deliver events twice, late, or not at all. Events of CloudTrail are always late. */
    distort: (bus: EventBus): void => {
      const put = bus.put;
      /** In milliseconds; 0 for an event that is on time. */
      const delayOf = (event: BusEvent): number => {
        // Lambda keeps the events, and invokes the function with them later.
        if (affects('no concurrency')) return CONCURRENCY_MILLISECONDS;
        if (event['detail-type'] === TRAIL) return Math.ceil(below() * TRAIL_MILLISECONDS);
        return affects('events late') ? Math.ceil(below() * LATE_MILLISECONDS) : 0;
      };
      const putAfter = (milliseconds: number, event: BusEvent): void => {
        if (milliseconds > 0) void wait(milliseconds).then(() => put(event));
        else put(event);
      };
      bus.put = (event) => {
        if (affects('events lost')) return;
        if (affects('events twice')) putAfter(REPEATED_MILLISECONDS, event);
        putAfter(delayOf(event), event);
      };
    },
    /**
     * Descriptions omit each new resource for a random time up to `lag` milliseconds. Resolves when all of these
     * resources are visible, to whether there were any.
     */
    lag: async ({ settings, ec2 }: Pick<Account, 'settings' | 'ec2'>, kind: HappeningKind, lag: number) => {
      const apply = (): void => {
        settings.consistencyMilliseconds = Math.max(0, ...lags.values());
      };
      const before = ec2().counters.sequence;
      lags.set(kind, lag);
      apply();
      await last(kind);
      lags.delete(kind);
      apply();
      const isHidden = ec2().counters.sequence > before;
      if (isHidden) await wait(lag);
      return isHidden;
    },
  };
};
