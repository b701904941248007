import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, flag, int64, options, someOf } from '../schema/fields.ts';
import { conditions } from '../schema/meta.ts';
import { type Rke2ConfigSpec, rke2ConfigSpec } from '../schema/rke2-config-spec.ts';

const status = options({
  conditions,
  initialization: someOf({ dataSecretCreated: flag }),
  dataSecretName: anyText,
  observedGeneration: int64(),
});

export const rke2ConfigSchema = options({ spec: rke2ConfigSpec, status });

export interface RKE2Config extends KubeObject {
  spec?: Rke2ConfigSpec;
  status?: z.input<typeof status>;
}
