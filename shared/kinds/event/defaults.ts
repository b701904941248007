import type { Event } from './schema.ts';

/** What upstream serves of an event in any case, even when it is empty. */
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
