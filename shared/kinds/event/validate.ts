import { invalidValue, required } from '../../kube-api/field-error.ts';
import { checkQualifiedName } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Event } from './schema.ts';

const MAX_TEXT = 128;
const MAX_MESSAGE = 1024;

/** Namespaces for events about cluster-scoped objects. */
const PLACES: readonly (string | undefined)[] = ['default', 'kube-system'];

/**
 * An event is in the namespace of its object; for cluster-scoped objects, in `default`. An event in the newer form may
 * be elsewhere if its object has a namespace.
 */
const validatePlace = ({ metadata, eventTime, involvedObject = {} }: Event): FieldError[] => {
  const { namespace = '' } = involvedObject;
  if (eventTime && (namespace !== '' || PLACES.includes(metadata.namespace))) return [];
  const isThere = namespace === metadata.namespace || (namespace === '' && metadata.namespace === 'default');
  return isThere ? [] : [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')];
};

/** Upstream does not show a value that is too long. */
const validateLength = (field: string, value: string, most: number): FieldError[] =>
  value.length > most ? [invalidValue(field, '', `can have at most ${most} characters`)] : [];

const validateText = (field: string, value = ''): FieldError[] =>
  value === '' ? [required(field)] : validateLength(field, value, MAX_TEXT);

/**
 * Rules for an event in the newer form, which has a time in microseconds (k8s.io/kubernetes
 * pkg/apis/core/validation/events.go).
 */
export const validateNewForm = (event: Event, field = 'reportingComponent'): FieldError[] => {
  const { reportingComponent = '', reportingInstance, action, reason, message = '' } = event;
  return [
    ...(reportingComponent === '' ? [required(field)] : []),
    ...checkQualifiedName(reportingComponent).map((detail) => invalidValue(field, reportingComponent, detail)),
    ...validateText('reportingInstance', reportingInstance),
    ...validateText('action', action),
    ...validateText('reason', reason),
    ...validateLength('message', message, MAX_MESSAGE),
  ];
};

export const validateEvent = (event: Event, old: Event | undefined): FieldError[] => [
  ...validatePlace(event),
  ...(event.eventTime && !old ? validateNewForm(event) : []),
];
