import * as z from 'zod';
import { int32, intOrString, list, someOf, struct, text } from './fields.ts';
import { API_VERSION, KIND, QUALIFIED_NAME, SUBDOMAIN } from './names.ts';

/** Health checks of machines: in a MachineHealthCheck, in a ClusterClass and in a topology. */

const unhealthyNodeCondition = struct(
  { type: z.string().min(1), status: z.string().min(1), timeoutSeconds: int32({ min: 0 }) },
  {},
);

const unhealthyMachineCondition = struct(
  {
    type: text(1, 316, QUALIFIED_NAME),
    status: z.enum(['True', 'False', 'Unknown']),
    timeoutSeconds: int32({ min: 0 }),
  },
  {},
);

const checks = someOf({
  nodeStartupTimeoutSeconds: int32({ min: 0 }),
  unhealthyNodeConditions: list(unhealthyNodeCondition, { min: 1, max: 100 }),
  unhealthyMachineConditions: list(unhealthyMachineCondition, { min: 1, max: 100 }),
});

/**
 * A reference to a template with its full version, unlike all other references: Cluster API creates objects from it
 * unchanged.
 */
export const templateRef = struct(
  { apiVersion: text(1, 317, API_VERSION), kind: text(1, 63, KIND), name: text(1, 253, SUBDOMAIN) },
  {},
);

const remediation = {
  triggerIf: someOf({
    unhealthyLessThanOrEqualTo: intOrString,
    unhealthyInRange: text(1, 32, '^\\[[0-9]+-[0-9]+\\]$'),
  }),
  templateRef,
};

/** The fields of a check of any machines. */
export const healthCheck = { checks, remediation: someOf(remediation) };

/** The same for a MachineDeployment, which also limits how many may be replaced concurrently. */
export const workerHealthCheck = { checks, remediation: someOf({ maxInFlight: intOrString, ...remediation }) };

export type HealthChecks = z.input<typeof checks>;
export type Remediation = z.input<typeof workerHealthCheck.remediation>;
export type TemplateRef = z.input<typeof templateRef>;
