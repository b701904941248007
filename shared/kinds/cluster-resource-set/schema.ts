import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int64, list, someOf, struct, text } from '../schema/fields.ts';
import { deprecatedStatus } from '../schema/machine-parts.ts';
import { conditions, labelSelector } from '../schema/meta.ts';

/** A ConfigMap or Secret whose values are manifests. */
export const resourceRef = { name: text(1, 253), kind: z.enum(['Secret', 'ConfigMap']) };

const spec = struct(
  { clusterSelector: labelSelector, resources: list(struct(resourceRef, {}), { min: 1, max: 100 }) },
  { strategy: z.enum(['ApplyOnce', 'Reconcile']) },
);

const status = someOf({ conditions, observedGeneration: int64({ min: 1 }), deprecated: deprecatedStatus({}) });

export const clusterResourceSetSchema = struct({ spec }, { status });

/** Manifests for the clusters that a selector selects. Defaulting sets `spec.strategy`. */
export interface ClusterResourceSet extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
