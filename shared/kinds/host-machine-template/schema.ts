import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { quantity } from '../schema/env-var.ts';
import { mapOf, options, struct } from '../schema/fields.ts';
import { hostMachineSpec } from '../schema/host-machine-spec.ts';
import { templateMeta } from '../schema/meta.ts';

const spec = struct({ template: struct({ spec: hostMachineSpec }, { metadata: templateMeta }) }, {});

const status = options({
  capacity: mapOf(quantity),
  nodeInfo: options({ architecture: z.enum(['amd64', 'arm64']), operatingSystem: z.enum(['linux']) }),
});

export const hostMachineTemplateSchema = struct({ spec }, { status });

export interface HostMachineTemplate extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
