import type { Event } from './schema.ts';

/** The reporter's fields and the times are there even when empty, as upstream serves them. */
export const defaultEvent = (event: Event): Event => ({
  ...event,
  source: event.source ?? {},
  firstTimestamp: event.firstTimestamp ?? null,
  lastTimestamp: event.lastTimestamp ?? null,
  eventTime: event.eventTime ?? null,
  reportingComponent: event.reportingComponent ?? '',
  reportingInstance: event.reportingInstance ?? '',
});
