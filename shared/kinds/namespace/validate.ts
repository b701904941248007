import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Namespace } from './schema.ts';

const PERMANENT = ['default', 'kube-system', 'kube-public'];

/** Namespaces that Kubernetes keeps for good. */
export const validateNamespaceDelete = ({ metadata }: Namespace): FieldError[] =>
  PERMANENT.includes(metadata.name) ? [forbiddenField('metadata.name', 'this namespace may not be deleted')] : [];
