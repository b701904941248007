import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateBastion } from '../aws-cluster/validate.ts';
import { validateHealthChecks } from '../rules/aws/health-check.ts';
import { validateCarrierGateway } from '../rules/aws/network.ts';
import { validateSshKeyName } from '../rules/aws/tags.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import type { AWSClusterTemplate } from './schema.ts';

const FIELD = 'spec.template.spec';

const validateBalancers = ({ spec }: NonNullable<AWSClusterTemplate['spec']>['template']): FieldError[] =>
  (['controlPlaneLoadBalancer', 'secondaryControlPlaneLoadBalancer'] as const).flatMap((name) =>
    validateHealthChecks(spec[name] ?? {}, undefined, `${FIELD}.${name}`),
  );

/**
 * CAPA's rules (webhooks/awsclustertemplate_webhook.go): clusters are changed by a reference to a template with another
 * name.
 */
export const validateAWSClusterTemplate = (
  { spec }: AWSClusterTemplate,
  old: AWSClusterTemplate | undefined,
): FieldError[] => {
  if (!spec) return [];
  const { template } = spec;
  return [
    ...validateBastion(template.spec, FIELD),
    ...validateSshKeyName(template.spec.sshKeyName, FIELD),
    // Upstream has this rule in the schema, where it does not affect objects that were admitted before it existed.
    ...(old ? [] : validateCarrierGateway(template.spec.network?.vpc ?? {}, `${FIELD}.network.vpc`)),
    // A rule of Windlass: clusters from such a template would be refused.
    ...(old ? [] : validateBalancers(template)),
    ...validateTemplateMeta(template.metadata, 'spec.template.metadata'),
    ...(old && !isDeepStrictEqual(old.spec, spec)
      ? [invalidValue('spec', undefined, 'AWSClusterTemplate.Spec is immutable')]
      : []),
  ];
};
