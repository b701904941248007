import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { event } from './definition.ts';
import type { Event } from './schema.ts';

const withFields = (fields: Partial<Event>): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'quickstart.1', namespace: 'default' },
  involvedObject: { kind: 'Cluster', namespace: 'default', name: 'quickstart' },
  ...fields,
});

const cellOf = (object: Event, name: string) =>
  event.columns.find((column) => column.name === name)?.value?.(object, new Date(0));

describe('Event admission', () => {
  it('requires the namespace of the involved object', () => {
    expect(refusals(event, withFields({ involvedObject: { namespace: 'other' } }))).toEqual([
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ]);
  });

  it('accepts null for times that are not set, as Go clients send them', () => {
    expect(admit(event, withFields({ firstTimestamp: null, lastTimestamp: null, eventTime: null }))).toBeDefined();
  });
});

describe('Event columns', () => {
  it('show the kind and name of its object', () => {
    expect(cellOf(withFields({}), 'Object')).toBe('cluster/quickstart');
  });

  it.each([
    { fields: { lastTimestamp: '2026-01-01T00:00:02Z', firstTimestamp: '2026-01-01T00:00:01Z' }, seen: '02', count: 1 },
    { fields: { eventTime: '2026-01-01T00:00:03Z', count: 4 }, seen: '03', count: 4 },
    {
      fields: { eventTime: '2026-01-01T00:00:03Z', series: { count: 7, lastObservedTime: '2026-01-01T00:00:09Z' } },
      seen: '09',
      count: 7,
    },
  ])('show when and how often it was seen: $fields', ({ fields, seen, count }) => {
    expect(cellOf(withFields(fields), 'Last Seen')).toBe(`2026-01-01T00:00:${seen}Z`);
    expect(cellOf(withFields(fields), 'Count')).toBe(count);
  });
});
