import type { Event } from './schema.ts';

/** The reporter's fields are there even when empty, as upstream serves them. */
export const defaultEvent = (event: Event): Event => ({
  ...event,
  reportingComponent: event.reportingComponent ?? '',
  reportingInstance: event.reportingInstance ?? '',
});
