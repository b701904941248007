import type { KubeObject } from '../../../kube-api/object.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { AllowedNamespaces } from '../../schema/aws-identity.ts';
import { validateSelectorSyntax } from '../kubernetes/label-selector.ts';

/** `clusterctl move` moves objects with this label together with everything that belongs to them. */
const MOVE_HIERARCHY = 'clusterctl.cluster.x-k8s.io/move-hierarchy';

/** An identity without any label is moved together with its clusters (CAPA's SetDefaults_Labels). */
export const defaultIdentity = <T extends KubeObject>(identity: T): T =>
  identity.metadata.labels
    ? identity
    : { ...identity, metadata: { ...identity.metadata, labels: { [MOVE_HIERARCHY]: '' } } };

export const validateAllowedNamespaces = (allowed: AllowedNamespaces | undefined): FieldError[] =>
  validateSelectorSyntax(allowed?.selector, 'spec.allowedNamespaces.selector');
