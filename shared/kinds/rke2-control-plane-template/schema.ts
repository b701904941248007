import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { rke2MachineTemplate } from '../rke2-control-plane/schema.ts';
import { struct } from '../schema/fields.ts';
import { templateMeta } from '../schema/meta.ts';
import { rke2ControlPlaneFields, rke2RolloutStrategy } from '../schema/rke2-server-config.ts';

const resource = struct(
  { rolloutStrategy: rke2RolloutStrategy },
  { ...rke2ControlPlaneFields, machineTemplate: rke2MachineTemplate },
);

const spec = struct({ template: struct({ spec: resource }, { metadata: templateMeta }) }, {});

export const rke2ControlPlaneTemplateSchema = struct({ spec }, {});

/** The control plane that a ClusterClass creates. Version and replicas come from the cluster's topology. */
export interface RKE2ControlPlaneTemplate extends KubeObject {
  spec: z.input<typeof spec>;
}
