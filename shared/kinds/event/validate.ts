import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Event } from './schema.ts';

/** An event stands in the namespace of what it is about; about cluster-wide objects, in `default` or anywhere. */
export const validateEvent = ({ metadata, involvedObject }: Event): FieldError[] => {
  const about = involvedObject.namespace ?? '';
  if (about === '' || about === metadata.namespace) return [];
  return [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')];
};
