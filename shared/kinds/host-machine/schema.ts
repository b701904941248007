import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, flag, options, struct, time } from '../schema/fields.ts';
import { type HostMachineSpec, hostMachineSpec } from '../schema/host-machine-spec.ts';
import { legacyConditions, machineAddresses } from '../schema/meta.ts';

const status = options({
  ready: flag,
  host: struct({ name: anyText, uid: anyText }, { zone: anyText }),
  state: z.enum(['Claimed', 'Booting', 'Running', 'Failed', 'Released']),
  decidedAt: time,
  addresses: machineAddresses,
  conditions: legacyConditions,
});

export const hostMachineSchema = struct({ spec: hostMachineSpec }, { status });

type HostMachineStatus = z.input<typeof status>;

export interface HostMachine extends KubeObject {
  spec: HostMachineSpec;
  status?: HostMachineStatus;
}
