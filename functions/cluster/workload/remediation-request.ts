import type { MachineHealthCheck } from '../../../shared/kinds/index.ts';
import type { TemplateRef } from '../../../shared/kinds/schema/health-check.ts';
import type { Remedy } from '../../../shared/plan/health/machine.ts';

/**
 * The remedy of a check with `spec.remediation.templateRef`: its owner does nothing then, as upstream. This API serves
 * no kinds but its own, and none of these is a remediation, so that the template can never be found.
 */
export const foreignRemedy = ({ metadata }: MachineHealthCheck, { apiVersion, kind, name }: TemplateRef): Remedy => {
  const template = `${kind} ${metadata.namespace}/${name}`;
  const message = `Error retrieving remediation template ${template}: this API does not serve ${kind} of ${apiVersion}; remediate the Machine by other means, or remove spec.remediation.templateRef`;
  return {
    by: 'other',
    claim: { type: 'ExternallyRemediated', status: 'False', reason: 'RemediationTemplateNotFound', message },
  };
};
