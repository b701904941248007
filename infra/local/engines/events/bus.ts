import type { Clock } from '../../../../shared/clock.ts';
import { arnOf, type Place } from '../wire/place.ts';

/** An event as EventBridge passes it to targets. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** RFC 3339 in whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
}

/** The default event bus of an account, for all regions. */
export interface EventBus {
  put(event: BusEvent): void;
  /** Calls `listener` with every event from now on; returns the function that ends this. */
  listen(listener: (event: BusEvent) => void): () => void;
  /** Runs `act` at `at` on the account's clock, unless the bus is closed or has no listeners by then. */
  later(at: number, act: () => void): void;
  /** Runs `act` at `at` on the account's clock, unless the bus is closed by then. */
  wake(at: number, act: () => void): void;
  /** Cancels everything that `later` and `wake` have scheduled. */
  close(): void;
}

/** A bus without listeners. */
export const createEventBus = (clock: Clock): EventBus => {
  const listeners = new Set<(event: BusEvent) => void>();
  const ended = new AbortController();
  const wait = async (at: number, act: () => void): Promise<void> => {
    // Node's timers may fire a millisecond early, when the condition for `at` does not hold yet.
    for (let left = at - clock.now().getTime(); left > 0; left = at - clock.now().getTime())
      await clock.sleep(left, ended.signal);
    act();
  };
  const wake = (at: number, act: () => void): void => {
    if (ended.signal.aborted) return;
    wait(at, act).catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  };
  return {
    put: (event) => {
      for (const listener of listeners) listener(event);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    later: (at, act) => {
      if (listeners.size > 0) wake(at, act);
    },
    wake,
    close: () => ended.abort(),
  };
};

/** An event of an AWS service about instances. */
export interface Announcement {
  source: string;
  detailType: string;
  instanceIds: readonly string[];
  detail: object;
}

/** The time format of events. */
export const eventTime = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

/** The event with which a service in `place` reports it now. */
export const announcementOf = (place: Place, { source, detailType, instanceIds, detail }: Announcement): BusEvent => ({
  version: '0',
  id: place.random.uuid(),
  'detail-type': detailType,
  source,
  account: place.accountId,
  time: eventTime(place.clock.now()),
  region: place.region,
  resources: instanceIds.map((id) => arnOf(place, 'ec2', `instance/${id}`)),
  detail,
});
