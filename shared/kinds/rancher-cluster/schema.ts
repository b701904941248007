import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, int64, keyedList, options, struct, text, time } from '../schema/fields.ts';

/** A `cluster.yml` for a thousand nodes is shorter. */
const LONGEST_CONFIG = 256 * 1024;

const spec = struct({ config: text(1, LONGEST_CONFIG) }, { configPath: anyText });

/** With the time of the last update, as in Rancher's conditions. */
const condition = struct(
  { type: text(1, 316), status: z.enum(['True', 'False', 'Unknown']), lastTransitionTime: time },
  { lastUpdateTime: time, reason: anyText, message: anyText, observedGeneration: int64() },
);

const status = options({
  appliedConfig: anyText,
  namespace: anyText,
  observedGeneration: int64(),
  conditions: keyedList(['type'], condition),
});

export const rancherClusterSchema = struct({ spec }, { status });

export interface RancherCluster extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}

export type RancherCondition = z.input<typeof condition>;
