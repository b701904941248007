import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { type AWSMachineSpec, awsMachineSpec } from '../schema/aws-machine-spec.ts';
import { flag, options, struct } from '../schema/fields.ts';
import { legacyConditions, machineAddresses } from '../schema/meta.ts';

const status = options({
  ready: flag,
  interruptible: flag,
  addresses: machineAddresses,
  instanceState: z.string(),
  failureReason: z.string(),
  failureMessage: z.string(),
  conditions: legacyConditions,
  dedicatedHost: options({ id: z.string() }),
});

export const awsMachineSchema = struct({ spec: awsMachineSpec }, { status });

export type AWSMachineStatus = z.input<typeof status>;
export type { AWSMachineSpec };

/** Defaulting sets `spec.instanceMetadataOptions` and `spec.cloudInit.secureSecretsBackend`. */
export interface AWSMachine extends KubeObject {
  spec: AWSMachineSpec;
  status?: AWSMachineStatus;
}
