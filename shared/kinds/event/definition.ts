import type { KubeObject } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { coreKind } from '../schema/definition-parts.ts';
import { toOpenApi } from '../schema/open-api.ts';
import { eventColumns } from './columns.ts';
import { defaultEvent, EMPTY_EVENT } from './defaults.ts';
import { type Event, eventSchema } from './schema.ts';
import { EVENTS_V1 } from './v1.ts';
import { validateEvent } from './validate.ts';

/** The sender of an event, for `source` in field selectors: newer clients set `reportingComponent` instead. */
const sourceOf = (object: KubeObject): string | undefined => {
  const { source, reportingComponent } = object as Event;
  return source?.component || reportingComponent;
};

export const event: ResourceDefinition<Event> = {
  ...coreKind,
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  get schema() {
    return toOpenApi(eventSchema);
  },
  columns: eventColumns,
  selectableFields: [
    '.involvedObject.kind',
    '.involvedObject.namespace',
    '.involvedObject.name',
    '.involvedObject.uid',
    '.involvedObject.apiVersion',
    '.involvedObject.resourceVersion',
    '.involvedObject.fieldPath',
    '.reason',
    '.reportingComponent',
    '.type',
  ],
  selectableValues: { source: sourceOf },
  createdByUpdate: true,
  zero: EMPTY_EVENT,
  default: defaultEvent,
  validate: validateEvent,
  versions: [EVENTS_V1],
};
