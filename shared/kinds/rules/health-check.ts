import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { HealthChecks, Remediation } from '../schema/health-check.ts';
import { validateIntOrPercent } from './replicas.ts';

/** A shorter time would remediate machines that are still starting; 0 disables the check. */
const LEAST_STARTUP_SECONDS = 30;

/** Conditions that result from health checks or summarize them: a check on them would trigger itself. */
const FORBIDDEN_TYPES = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];

const validateMachineConditions = ({ unhealthyMachineConditions = [] }: HealthChecks, field: string): FieldError[] =>
  unhealthyMachineConditions.flatMap(({ type }, index) => {
    const at = `${field}.unhealthyMachineConditions[${index}].type`;
    const detail = `type must not be one of: ${FORBIDDEN_TYPES.join(', ')}`;
    return FORBIDDEN_TYPES.includes(type) ? [invalidValue(at, type, detail)] : [];
  });

const validateStartup = ({ nodeStartupTimeoutSeconds: seconds = 0 }: HealthChecks, field: string): FieldError[] =>
  seconds === 0 || seconds >= LEAST_STARTUP_SECONDS
    ? []
    : [invalidValue(`${field}.nodeStartupTimeoutSeconds`, seconds, `must be at least ${LEAST_STARTUP_SECONDS}s`)];

/** Rules for a health check in any object; `field` is what contains `checks` and `remediation`. */
export const validateHealthCheck = (
  { checks = {}, remediation = {} }: { checks?: HealthChecks; remediation?: Remediation },
  field: string,
): FieldError[] => {
  const at = `${field}.remediation`;
  const limit = remediation.triggerIf?.unhealthyLessThanOrEqualTo;
  return [
    ...validateMachineConditions(checks, `${field}.checks`),
    ...validateStartup(checks, `${field}.checks`),
    ...validateIntOrPercent(limit, `${at}.triggerIf.unhealthyLessThanOrEqualTo`),
    ...validateIntOrPercent(remediation.maxInFlight, `${at}.maxInFlight`),
  ];
};
