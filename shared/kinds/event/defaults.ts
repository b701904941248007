import type { Event } from './schema.ts';

/** Fields of an event that upstream always returns, even if they are empty. */
export const EMPTY_EVENT = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

/** Adds the implicit fields of an event and its series. */
export const defaultEvent = ({ series, ...event }: Event): Event => ({
  ...EMPTY_EVENT,
  ...event,
  ...(series ? { series: { ...series, lastObservedTime: series.lastObservedTime ?? null } } : {}),
});
