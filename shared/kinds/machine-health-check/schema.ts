import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int32, int64, list, someOf, struct, text } from '../schema/fields.ts';
import { healthCheck } from '../schema/health-check.ts';
import { deprecatedStatus } from '../schema/machine-parts.ts';
import { conditions, labelSelector } from '../schema/meta.ts';

const spec = struct(
  { clusterName: text(1, 63), selector: labelSelector },
  // Defaulting completes the checks, so that they may be empty.
  { ...healthCheck, checks: z.object(healthCheck.checks.shape) },
);

const status = someOf({
  conditions,
  expectedMachines: int32({ min: 0 }),
  currentHealthy: int32({ min: 0 }),
  remediationsAllowed: int32({ min: 0 }),
  observedGeneration: int64({ min: 1 }),
  targets: list(text(1, 253), { max: 10000 }),
  deprecated: deprecatedStatus({}),
});

export const machineHealthCheckSchema = struct({ spec }, { status });

export type MachineHealthCheckSpec = z.input<typeof spec>;

/** Defaulting sets the label of the cluster and `spec.checks.nodeStartupTimeoutSeconds`. */
export interface MachineHealthCheck extends KubeObject {
  spec: MachineHealthCheckSpec;
  status?: z.input<typeof status>;
}
