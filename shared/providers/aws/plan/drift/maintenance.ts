import type { Machine } from '../../../../kinds/index.ts';
import { type Notice, readNotice } from '../../../../plan/instance-events/notice.ts';
import type { KnownMachine } from './states.ts';

/** An event that EC2 has scheduled for an instance. */
export interface ScheduledEvent {
  id: string;
  /** Such as `instance-retirement`. */
  code: string;
  notBefore: Date | undefined;
}

export interface MaintenancePlan {
  give: { known: KnownMachine; notice: Notice }[];
  /** Machines whose scheduled event no longer exists. */
  withdraw: { known: KnownMachine; id: string }[];
}

/**
 * Ids of scheduled events in DescribeInstanceStatus. AWS Health has other ids for the same events, and withdraws them
 * itself.
 */
const OWN_ID = /^instance-event-/;

const noticeOf = ({ id, code, notBefore }: ScheduledEvent, now: Date): Notice => ({
  reason: 'ScheduledMaintenance',
  at: now.toISOString(),
  ...(notBefore ? { deadline: notBefore.toISOString() } : {}),
  what: code,
  id,
});

const staleNotice = (machine: Machine, events: readonly ScheduledEvent[]): string | undefined => {
  const id = readNotice(machine)?.id ?? '';
  return OWN_ID.test(id) && !events.some((event) => event.id === id) ? id : undefined;
};

/**
 * What must be recorded about maintenance that EC2 has scheduled. This backs up the events of AWS Health, which may be
 * lost and are not delivered for clusters in other regions. `scheduled`: by instance id, for every instance with
 * scheduled events.
 */
export const planMaintenance = (
  machines: readonly KnownMachine[],
  scheduled: ReadonlyMap<string, readonly ScheduledEvent[]>,
  now: Date,
): MaintenancePlan => {
  const present = machines.filter(({ machine }) => !machine.metadata.deletionTimestamp);
  const eventsOf = ({ infrastructure }: KnownMachine) => scheduled.get(infrastructure.spec.instanceID ?? '') ?? [];
  return {
    give: present.flatMap((known) => eventsOf(known).map((event) => ({ known, notice: noticeOf(event, now) }))),
    withdraw: present.flatMap((known) => {
      const id = staleNotice(known.machine, eventsOf(known));
      return id ? [{ known, id }] : [];
    }),
  };
};
