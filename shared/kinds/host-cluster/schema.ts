import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { flag, int32, mapOf, options, struct, textMap } from '../schema/fields.ts';
import { legacyConditions } from '../schema/meta.ts';

const spec = options({ controlPlaneEndpoint: options({ host: z.string(), port: int32({ min: 0, max: 65535 }) }) });

const status = options({
  ready: flag,
  failureDomains: mapOf(options({ controlPlane: flag, attributes: textMap })),
  conditions: legacyConditions,
});

export const hostClusterSchema = struct({ spec }, { status });

/** Defaulting sets the port of an endpoint. */
export interface HostCluster extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
