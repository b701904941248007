import * as z from 'zod';
import { readJsonPath } from '../../kube-api/json-path.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError, PrinterColumn, ServedVersion } from '../../kube-api/resource.ts';
import { int32, microTime, objectReference, options, time } from '../schema/fields.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { eventColumns } from './columns.ts';
import { EMPTY_EVENT } from './defaults.ts';
import type { Event } from './schema.ts';
import { validateV1Event } from './validate-v1.ts';

/** events.k8s.io/v1: the same events as in core/v1, with other fields (k8s.io/kubernetes pkg/apis/events/v1). */

const anyString = z.string();

const v1EventSchema = options({
  eventTime: microTime.nullable(),
  series: options({ count: int32(), lastObservedTime: microTime.nullable() }),
  reportingController: anyString,
  reportingInstance: anyString,
  action: anyString,
  reason: anyString,
  regarding: objectReference,
  related: objectReference,
  note: anyString,
  type: anyString,
  deprecatedSource: options({ component: anyString, host: anyString }),
  deprecatedFirstTimestamp: time.nullable(),
  deprecatedLastTimestamp: time.nullable(),
  deprecatedCount: int32(),
});

export interface V1Event extends KubeObject, z.input<typeof v1EventSchema> {}

/** Fields with the same name in both versions. */
const shared = ({ eventTime, series, reportingInstance, action, reason, related, type }: Event | V1Event) => ({
  eventTime,
  series,
  reportingInstance,
  action,
  reason,
  related,
  type,
});

/** The body in the form of core/v1. */
const toCore = (event: V1Event): Omit<Event, keyof KubeObject> => ({
  ...shared(event),
  eventTime: event.eventTime ?? null,
  reportingComponent: event.reportingController ?? '',
  reportingInstance: event.reportingInstance ?? '',
  involvedObject: event.regarding ?? {},
  message: event.note,
  source: event.deprecatedSource ?? {},
  firstTimestamp: event.deprecatedFirstTimestamp ?? null,
  lastTimestamp: event.deprecatedLastTimestamp ?? null,
  count: event.deprecatedCount,
});

/** Go writes empty names of the reporter only in core/v1. */
const fromCore = (event: Event): Omit<V1Event, keyof KubeObject> => ({
  ...shared(event),
  eventTime: event.eventTime ?? null,
  reportingController: event.reportingComponent || undefined,
  reportingInstance: event.reportingInstance || undefined,
  regarding: event.involvedObject ?? {},
  note: event.message,
  deprecatedSource: event.source ?? {},
  deprecatedFirstTimestamp: event.firstTimestamp ?? null,
  deprecatedLastTimestamp: event.lastTimestamp ?? null,
  deprecatedCount: event.count,
});

/** A row may not be an event: a bookmark only has metadata. */
const ofCore = (column: PrinterColumn): PrinterColumn => ({
  ...column,
  value: (object, now) => {
    const core = { ...object, ...toCore(object as V1Event) };
    return column.value ? column.value(core, now) : (readJsonPath(column.jsonPath, core) as string | undefined);
  },
});

/** Fields of an event that this version always contains, even if they are empty. */
const EMPTY = {
  eventTime: null,
  regarding: EMPTY_EVENT.involvedObject,
  deprecatedSource: EMPTY_EVENT.source,
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};

export const EVENTS_V1: ServedVersion = {
  group: 'events.k8s.io',
  name: 'v1',
  schema: () => toOpenApi(v1EventSchema),
  columns: eventColumns.map((column) => (column.format === 'name' ? column : ofCore(column))),
  selectableFields: [
    '.regarding.kind',
    '.regarding.namespace',
    '.regarding.name',
    '.regarding.uid',
    '.regarding.apiVersion',
    '.regarding.resourceVersion',
    '.regarding.fieldPath',
    '.reason',
    '.reportingController',
    '.type',
  ],
  zero: EMPTY,
  default: (object) => ({ ...EMPTY, ...object }),
  validate: (object, old): FieldError[] => validateV1Event(asCore(object as V1Event), old && asCore(old as V1Event)),
  toStorage: toCore,
  fromStorage: fromCore,
};

const asCore = (event: V1Event): Event => ({ ...event, ...toCore(event) });
