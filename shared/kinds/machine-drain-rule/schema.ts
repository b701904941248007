import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { int32, list, someOf, struct } from '../schema/fields.ts';
import { labelSelector } from '../schema/meta.ts';

const spec = struct(
  { drain: struct({ behavior: z.enum(['Drain', 'Skip', 'WaitCompleted']) }, { order: int32() }) },
  {
    machines: list(someOf({ selector: labelSelector, clusterSelector: labelSelector }), { min: 1, max: 32 }),
    pods: list(someOf({ selector: labelSelector, namespaceSelector: labelSelector }), { min: 1, max: 32 }),
  },
);

export const machineDrainRuleSchema = struct({ spec }, {});

export type MachineDrainRuleSpec = z.input<typeof spec>;

/** How pods are removed from the nodes of machines. */
export interface MachineDrainRule extends KubeObject {
  spec: MachineDrainRuleSpec;
}
