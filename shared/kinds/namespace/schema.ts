import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { keyedList, list, options, struct, time } from '../schema/fields.ts';

const condition = struct(
  { type: z.string(), status: z.string() },
  { lastTransitionTime: time, reason: z.string(), message: z.string() },
);

const spec = options({ finalizers: list(z.string()) });

const status = options({
  phase: z.string(),
  conditions: keyedList(['type'], condition).meta({
    'x-kubernetes-patch-merge-key': 'type',
    'x-kubernetes-patch-strategy': 'merge',
  }),
});

export const namespaceSchema = options({ spec, status });

/** Defaulting sets `status.phase` to Active if the namespace is not being deleted. */
export interface Namespace extends KubeObject, z.input<typeof namespaceSchema> {}
