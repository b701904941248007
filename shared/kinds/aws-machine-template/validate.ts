import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateLimits } from '../rules/aws/machine-limits.ts';
import { validateAWSMachineSpec } from '../rules/aws/machine-spec.ts';
import { warnAWSMachineSpec } from '../rules/aws/machine-warnings.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import type { AWSMachineTemplate } from './schema.ts';

const FIELD = 'spec.template.spec';

/** Refuses fields that only a machine has, not its template. */
const validateNoIdentity = ({ providerID, cloudInit }: AWSMachineSpec): FieldError[] => {
  const fields = {
    providerID,
    'cloudInit.secretPrefix': cloudInit?.secretPrefix,
    'cloudInit.secretCount': cloudInit?.secretCount,
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value ? [forbiddenField(`${FIELD}.${name}`, 'cannot be set in templates')] : [],
  );
};

/** Templates that were stored before metadata options were defaulted may get them. */
const isUnchanged = (next: AWSMachineSpec, old: AWSMachineSpec): boolean =>
  isDeepStrictEqual(next, {
    ...old,
    ...(old.instanceMetadataOptions || !next.instanceMetadataOptions
      ? {}
      : { instanceMetadataOptions: next.instanceMetadataOptions }),
  });

/**
 * CAPA's rules (webhooks/awsmachinetemplate_webhook.go): machines are changed by a reference to a template with another
 * name.
 */
export const validateAWSMachineTemplate = (
  { spec: { template } }: AWSMachineTemplate,
  old: AWSMachineTemplate | undefined,
): FieldError[] => {
  const metadata = validateTemplateMeta(template.metadata, 'spec.template.metadata');
  if (!old)
    return [
      ...metadata,
      ...validateNoIdentity(template.spec),
      ...validateAWSMachineSpec(template.spec, FIELD),
      ...validateLimits(template.spec, undefined, FIELD),
    ];
  const detail = 'AWSMachineTemplate.Spec is immutable';
  return isUnchanged(template.spec, old.spec.template.spec)
    ? metadata
    : [...metadata, invalidValue(FIELD, template.spec, detail)];
};

export const warnAWSMachineTemplate = ({ spec }: AWSMachineTemplate): string[] =>
  warnAWSMachineSpec(spec.template.spec, FIELD);
