import { isDeepStrictEqual } from 'node:util';
import { invalidValue, required } from '../../kube-api/field-error.ts';
import { validateBareFinalizers } from '../../kube-api/metadata.ts';
import { checkQualifiedName, checkSubdomain } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Event } from './schema.ts';
import { validateNewForm } from './validate.ts';

/**
 * The stricter rules of events.k8s.io/v1. As in upstream, they use core/v1's names of the fields (k8s.io/kubernetes
 * pkg/apis/core/validation/events.go). Both events are in the form of core/v1.
 */
export const validateV1Event = (event: Event, old: Event | undefined): FieldError[] => [
  ...(event.eventTime ? validateNewForm(event, 'reportingController') : []),
  ...(old ? validateChange(event, old) : validateCreation(event)),
];

const validateCreation = (event: Event): FieldError[] => {
  const { eventTime, type, firstTimestamp, lastTimestamp, count, source } = event;
  const mustBeUnset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [invalidValue(field, '', 'needs to be unset')] : [];
  return [
    ...validateMetadata(event),
    ...validateSeries(event),
    ...(eventTime ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type ?? ''}`)]),
    ...mustBeUnset('firstTimestamp', Boolean(firstTimestamp)),
    ...mustBeUnset('lastTimestamp', Boolean(lastTimestamp)),
    ...mustBeUnset('count', Boolean(count)),
    ...mustBeUnset('source', Boolean(source?.component || source?.host)),
  ];
};

/** A missing name is refused together with the other required metadata. */
const validateMetadata = ({ metadata: { name, finalizers = [] } }: Event): FieldError[] => [
  ...(name ? checkSubdomain(name).map((detail) => invalidValue('metadata.name', name, detail)) : []),
  ...finalizers.flatMap((each) =>
    checkQualifiedName(each).map((detail) => invalidValue('metadata.finalizers', each, detail)),
  ),
  ...validateBareFinalizers(finalizers),
];

const validateSeries = ({ series }: Event): FieldError[] =>
  series
    ? [
        ...((series.count ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
        ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
      ]
    : [];

/** Only the series of an event may change. */
const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
] as const;

const validateChange = (event: Event, old: Event): FieldError[] => [
  ...(isDeepStrictEqual(event.series, old.series) ? [] : validateSeries(event)),
  ...FIXED.filter((field) => !isDeepStrictEqual(event[field], old[field])).map((field) =>
    invalidValue(field === 'reportingComponent' ? 'reportingController' : field, event[field], 'field is immutable'),
  ),
];
