import { forbiddenField } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateLimits } from '../rules/aws/machine-limits.ts';
import { validateAWSMachineSpec, validateMutableParts } from '../rules/aws/machine-spec.ts';
import { warnAWSMachineSpec } from '../rules/aws/machine-warnings.ts';
import { changedPaths, isWithin } from '../rules/changed-paths.ts';
import type { AWSMachine } from './schema.ts';

/**
 * Fields that may change once the machine exists: those that the controller sets, and those that can be changed on a
 * running instance.
 */
const MUTABLE = [
  'spec.providerID',
  'spec.instanceID',
  'spec.additionalTags',
  'spec.additionalSecurityGroups',
  'spec.cloudInit.secretPrefix',
  'spec.cloudInit.secretCount',
  'spec.cloudInit.secureSecretsBackend',
  'spec.privateDnsName.enableResourceNameDnsAAAARecord',
  'spec.privateDnsName.enableResourceNameDnsARecord',
];

/** CAPA's rules (webhooks/awsmachine_webhook.go). CAPA refuses `spec` as a whole, and Windlass names the field. */
export const validateAWSMachine = ({ spec }: AWSMachine, old: AWSMachine | undefined): FieldError[] => {
  const limits = validateLimits(spec, old?.spec, 'spec');
  if (!old) return [...validateAWSMachineSpec(spec, 'spec'), ...limits];
  const fixed = changedPaths(old.spec, spec, 'spec').filter((path) => !isWithin(MUTABLE, path));
  return [
    ...validateMutableParts(spec, 'spec'),
    ...limits,
    ...fixed.map((path) => forbiddenField(path, 'cannot be modified')),
  ];
};

export const warnAWSMachine = ({ spec }: AWSMachine): string[] => warnAWSMachineSpec(spec, 'spec');
