import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { objectReferenceFields } from './meta-f.ts';

/** Texts of health checks of machines. */

export const templateRefFields = {
  apiVersion: 'API group and version of the template.',
  kind: 'Kind of the template, in CamelCase.',
  name: 'Name of the template, in the same namespace.',
} satisfies FieldTexts;

const nodeConditionsText =
  'Conditions of a node that make its machine unhealthy. Any one of them is enough; at most 100 entries.';
const machineConditionsText =
  'Conditions of a machine that make it unhealthy. Any one of them is enough; at most 100 entries.';

const conditionFields = {
  type: 'Type of the condition.',
  status: 'Status that counts as unhealthy: True, False or Unknown.',
} satisfies FieldTexts;

const timed = {
  ...conditionFields,
  timeoutSeconds: 'Seconds that the status must last.',
} satisfies FieldTexts;

const oldTimed = {
  ...conditionFields,
  timeout: 'How long the status must last, such as 5m0s.',
} satisfies FieldTexts;

const atMostText =
  'Highest number or percentage of unhealthy machines at which machines are still replaced, such as 40%. No limit by default; ignored if a range is set.';
const rangeText =
  'Range for the number of unhealthy machines in which machines are replaced, such as [1-3]. No limit by default.';
const templateText =
  'Template of an object that tells another program to repair the machine. Windlass serves no such kinds, so leave it out.';

export const maxInFlightText =
  'Highest number or percentage of machines that are replaced at the same time, such as 2 or 20%. No limit by default.';

/** The fields of a check in v1beta2. */
export const healthCheckFields = {
  checks: [
    'When a machine counts as unhealthy. A deleted node and the annotation cluster.x-k8s.io/remediate-machine always count.',
    {
      nodeStartupTimeoutSeconds:
        'Seconds that a machine may take until it has a node. Defaults to 600; 0 means no limit.',
      unhealthyNodeConditions: [nodeConditionsText, timed],
      unhealthyMachineConditions: [machineConditionsText, timed],
    },
  ],
  remediation: [
    'How unhealthy machines are replaced. By default their owner replaces them.',
    {
      triggerIf: [
        'Limits on when machines are replaced. No limits by default.',
        { unhealthyLessThanOrEqualTo: atMostText, unhealthyInRange: rangeText },
      ],
      templateRef: [templateText, templateRefFields],
    },
  ],
} satisfies FieldTexts;

/** The fields of a check in v1beta1. */
export const oldHealthCheckFields = {
  unhealthyConditions: [nodeConditionsText, oldTimed],
  unhealthyMachineConditions: [machineConditionsText, oldTimed],
  maxUnhealthy: atMostText,
  unhealthyRange: rangeText,
  nodeStartupTimeout: 'How long a machine may take until it has a node. Defaults to 10m0s; 0s means no limit.',
  remediationTemplate: [templateText, objectReferenceFields],
} satisfies FieldTexts;

/** The fields of a check of workers, which says also how many may be replaced at once. */
export const workerHealthCheckFields = {
  ...healthCheckFields,
  remediation: [
    healthCheckFields.remediation[0],
    { maxInFlight: maxInFlightText, ...healthCheckFields.remediation[1] },
  ],
} satisfies FieldTexts;
