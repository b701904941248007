import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { ClusterResourceSetBinding } from './schema.ts';

/** Cluster API's rule (core/webhooks/admission/clusterresourcesetbinding.go). */
export const validateClusterResourceSetBinding = (
  { spec: { clusterName } }: ClusterResourceSetBinding,
  old: ClusterResourceSetBinding | undefined,
): FieldError[] =>
  old && old.spec.clusterName !== clusterName
    ? [invalidValue('spec.clusterName', clusterName, 'field is immutable')]
    : [];
