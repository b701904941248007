import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn } from '../../kube-api/resource.ts';
import { countColumn, textColumn } from '../schema/columns.ts';
import type { Event } from './schema.ts';

/**
 * The columns of `kubectl get events` (k8s.io/kubernetes pkg/printers/internalversion: printEvent). An event of the
 * events.k8s.io kind has `eventTime` and `series` instead of the timestamps and the count of core/v1.
 */

const firstSeen = ({ firstTimestamp, eventTime }: Event): string | undefined =>
  firstTimestamp ?? eventTime ?? undefined;

const lastSeen = (event: Event): string | undefined =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event);

const count = ({ series, count: times }: Event): number => series?.count ?? (times || 1);

/** A row may not be an event: a bookmark only has metadata. */
const target = ({ involvedObject }: Partial<Event>): string => {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
};

const source = ({ source: from, reportingComponent, reportingInstance }: Event): string =>
  [from?.component || reportingComponent, from?.host || reportingInstance].filter(Boolean).join(', ');

const cell =
  (read: (event: Event) => string | number | undefined): NonNullable<PrinterColumn['value']> =>
  (object: KubeObject) =>
    read(object as Event);

const wide = { priority: 1 };

export const eventColumns: readonly PrinterColumn[] = [
  { name: 'Last Seen', type: 'date', jsonPath: '.lastTimestamp', value: cell(lastSeen) },
  textColumn('Type', '.type', 'Normal or Warning'),
  textColumn('Reason', '.reason', 'Why it was sent, in one word'),
  { ...textColumn('Object', '.involvedObject.name', 'The object that it is about'), value: cell(target) },
  { ...textColumn('Subobject', '.involvedObject.fieldPath', 'The part of the object'), ...wide },
  { ...textColumn('Source', '.source.component', 'Who sent it'), ...wide, value: cell(source) },
  textColumn('Message', '.message', 'What happened'),
  { name: 'First Seen', type: 'date', jsonPath: '.firstTimestamp', ...wide, value: cell(firstSeen) },
  { ...countColumn('Count', '.count', 'How often it happened'), ...wide, value: cell(count) },
  // Events are identified by their content, and their names mean nothing to users.
  { ...textColumn('Name', '.metadata.name', 'Name of the event'), ...wide, format: 'name' },
];
