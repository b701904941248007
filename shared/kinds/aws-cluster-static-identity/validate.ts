import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateAllowedNamespaces } from '../rules/aws/identity.ts';
import type { AWSClusterStaticIdentity } from './schema.ts';

/** CAPA's rules (webhooks/awsclusterstaticidentity_webhook.go). */
export const validateAWSClusterStaticIdentity = (
  { spec }: AWSClusterStaticIdentity,
  old: AWSClusterStaticIdentity | undefined,
): FieldError[] => [
  ...(old && old.spec?.secretRef !== spec?.secretRef
    ? [invalidValue('spec.secretRef', spec?.secretRef ?? '', 'field cannot be updated')]
    : []),
  ...validateAllowedNamespaces(spec?.allowedNamespaces),
];
