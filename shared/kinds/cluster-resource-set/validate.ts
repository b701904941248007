import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { isEmptySelector, validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import type { ClusterResourceSet } from './schema.ts';

const SELECTOR = 'spec.clusterSelector';

/** Cluster API's rules (core/webhooks/admission/clusterresourceset.go). */
export const validateClusterResourceSet = (
  { spec: { clusterSelector, strategy } }: ClusterResourceSet,
  old: ClusterResourceSet | undefined,
): FieldError[] => [
  ...validateSelectorSyntax(clusterSelector, SELECTOR),
  ...(isEmptySelector(clusterSelector) ? [invalidValue(SELECTOR, clusterSelector, 'selector must not be empty')] : []),
  ...(old && old.spec.strategy !== strategy ? [invalidValue('spec.strategy', strategy, 'field is immutable')] : []),
  ...(old && !isDeepStrictEqual(old.spec.clusterSelector, clusterSelector)
    ? [invalidValue(SELECTOR, clusterSelector, 'field is immutable')]
    : []),
];
