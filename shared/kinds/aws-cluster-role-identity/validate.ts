import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateAllowedNamespaces } from '../rules/aws/identity.ts';
import type { AWSClusterRoleIdentity } from './schema.ts';

/** CAPA's rules (webhooks/awsclusterroleidentity_webhook.go). */
export const validateAWSClusterRoleIdentity = ({ spec }: AWSClusterRoleIdentity): FieldError[] => [
  ...(spec?.sourceIdentityRef ? [] : [invalidValue('spec.sourceIdentityRef', null, 'field cannot be set to nil')]),
  ...validateAllowedNamespaces(spec?.allowedNamespaces),
];
