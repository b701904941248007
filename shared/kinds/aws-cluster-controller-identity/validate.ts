import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateAllowedNamespaces } from '../rules/aws/identity.ts';
import type { AWSClusterControllerIdentity } from './schema.ts';

const NAME = 'default';

/** CAPA's rules (webhooks/awsclustercontrolleridentity_webhook.go). */
export const validateAWSClusterControllerIdentity = (
  { metadata: { name }, spec }: AWSClusterControllerIdentity,
  old: AWSClusterControllerIdentity | undefined,
): FieldError[] => [
  ...(name === NAME
    ? []
    : [invalidValue('name', name, 'AWSClusterControllerIdentity is a singleton and only acceptable name is default')]),
  ...(old && !isDeepStrictEqual(old.spec ?? {}, spec ?? {})
    ? [forbiddenField('spec', 'AWSClusterControllerIdentity is immutable')]
    : []),
  ...validateAllowedNamespaces(spec?.allowedNamespaces),
];
