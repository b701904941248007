import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { resourceRef } from '../cluster-resource-set/schema.ts';
import { flag, list, struct, text, time } from '../schema/fields.ts';

const binding = struct(
  { clusterResourceSetName: text(1, 253) },
  {
    resources: list(struct({ ...resourceRef, applied: flag }, { hash: text(1, 256), lastAppliedTime: time }), {
      max: 100,
    }),
  },
);

const spec = struct({ clusterName: text(1, 63) }, { bindings: list(binding, { max: 100 }) });

export const clusterResourceSetBindingSchema = struct({ spec }, {});

/** The resources of ClusterResourceSets that were applied to one cluster. */
export interface ClusterResourceSetBinding extends KubeObject {
  spec: z.input<typeof spec>;
}
