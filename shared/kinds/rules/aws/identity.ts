import type { KubeObject } from '../../../kube-api/object.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { AllowedNamespaces } from '../../schema/aws-identity.ts';
import { validateSelectorSyntax } from '../kubernetes/label-selector.ts';

/** `clusterctl move` takes what has the label along, with all that belongs to it. */
const MOVE_HIERARCHY = 'clusterctl.cluster.x-k8s.io/move-hierarchy';

/** An identity without any label moves along with its clusters (CAPA's SetDefaults_Labels). */
export const defaultIdentity = <T extends KubeObject>(identity: T): T =>
  identity.metadata.labels
    ? identity
    : { ...identity, metadata: { ...identity.metadata, labels: { [MOVE_HIERARCHY]: '' } } };

export const validateAllowedNamespaces = (allowed: AllowedNamespaces | undefined): FieldError[] =>
  validateSelectorSyntax(allowed?.selector, 'spec.allowedNamespaces.selector');
