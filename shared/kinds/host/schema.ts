import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, int32, options, struct, text, time } from '../schema/fields.ts';
import { legacyConditions } from '../schema/meta.ts';
import { SUBDOMAIN } from '../schema/names.ts';

const spec = struct(
  {
    address: text(1, 253),
    hostKey: text(1, 2048),
    secretRef: struct({ name: text(1, 253, SUBDOMAIN) }, {}),
  },
  {
    port: int32({ min: 1, max: 65535 }),
    user: text(1, 32, '^[a-z_][a-z0-9_-]*$'),
  },
);

const status = options({
  claim: struct({ machine: anyText, uid: anyText, since: time }, {}),
  conditions: legacyConditions,
});

export const hostSchema = struct({ spec }, { status });

/** Defaulting sets `spec.port` and `spec.user`. */
export interface Host extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
