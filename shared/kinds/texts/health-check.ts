/** Texts of health checks: of MachineHealthCheck, and of those in topologies and classes. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { legacyReferenceFields } from './meta.ts';

const MACHINE_TYPE =
  'Type of the condition. Ready, Available, HealthCheckSucceeded, OwnerRemediated and ExternallyRemediated are refused.';

const NODE_CONDITIONS =
  'Conditions of the node, each of which makes the machine unhealthy once it has lasted too long.';
const MACHINE_CONDITIONS = 'Conditions of the Machine, each of which makes it unhealthy once it has lasted too long.';

const nodeConditionFields = {
  type: 'Type of the node condition, such as Ready.',
  status: 'Status that counts as unhealthy: True, False or Unknown.',
} satisfies FieldTexts;

const machineConditionFields = { type: MACHINE_TYPE, status: nodeConditionFields.status } satisfies FieldTexts;

const SECONDS = 'Time in seconds that the condition must last before the machine counts as unhealthy.';

const checksText = [
  'What makes a machine unhealthy.',
  {
    nodeStartupTimeoutSeconds:
      'Time in seconds that a machine may take to become a node. Defaults to 600; 0 disables the check, and other values must be at least 30.',
    unhealthyNodeConditions: [NODE_CONDITIONS, { ...nodeConditionFields, timeoutSeconds: SECONDS }],
    unhealthyMachineConditions: [MACHINE_CONDITIONS, { ...machineConditionFields, timeoutSeconds: SECONDS }],
  },
] satisfies FieldText;

const LIMIT =
  'Remediate only while at most this many machines are unhealthy, as a number or a percentage of the checked machines rounded down. Defaults to 100%.';
const RANGE =
  'Remediate only while the number of unhealthy machines is within this range, such as [3-5]. Takes precedence over the limit.';
const TEMPLATE =
  "Template of another program's remediation object. Windlass serves no such kinds: with a template it marks the machine and does not replace it.";

/** A reference to a template, with the version. */
export const templateRefFields = {
  apiVersion: 'API group and version of the template.',
  kind: 'Kind of the template.',
  name: 'Name of the template, which is in the same namespace.',
} satisfies FieldTexts;

export const maxInFlightText =
  'Most machines that may be remediated at a time, as a number or a percentage of replicas rounded up. Unset means no limit.';

/** `spec.remediation` without the limit of a deployment. */
const remediationFields = {
  triggerIf: [
    'When machines may be remediated. Outside these bounds the failure is taken for one of the whole cluster, and nothing is replaced.',
    { unhealthyLessThanOrEqualTo: LIMIT, unhealthyInRange: RANGE },
  ],
  templateRef: [TEMPLATE, templateRefFields],
} satisfies FieldTexts;

const REMEDIATION = 'How unhealthy machines are replaced.';

/** The fields of a check in v1beta2. */
export const healthCheckFields = {
  checks: checksText,
  remediation: [REMEDIATION, remediationFields],
} satisfies FieldTexts;

/** The same for workers, of which a limited number may be replaced at a time. */
export const workerHealthCheckFields = {
  checks: checksText,
  remediation: [REMEDIATION, { maxInFlight: maxInFlightText, ...remediationFields }],
} satisfies FieldTexts;

const DURATION = 'Time that the condition must last before the machine counts as unhealthy, as a duration such as 5m.';

/** The health check of v1beta1, which is flat. */
export const legacyHealthCheckFields = {
  unhealthyConditions: [NODE_CONDITIONS, { ...nodeConditionFields, timeout: DURATION }],
  unhealthyMachineConditions: [MACHINE_CONDITIONS, { ...machineConditionFields, timeout: DURATION }],
  maxUnhealthy: LIMIT,
  unhealthyRange: RANGE,
  nodeStartupTimeout:
    'Time that a machine may take to become a node, as a duration. Defaults to 10m; 0s disables the check, and other values must be at least 30s.',
  remediationTemplate: [TEMPLATE, legacyReferenceFields],
} satisfies FieldTexts;
