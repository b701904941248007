import * as z from 'zod';
import { flag, list, options, struct } from './fields.ts';

/** core/v1 EnvVar: an environment variable of a control plane container. */

const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;

const keySelector = struct({ key: z.string() }, { name: z.string(), optional: flag }).meta(atomic);

/** resource.Quantity, as `100m` or a bare number. */
export const quantity = z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true });

const valueFrom = options({
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
  fieldRef: struct({ fieldPath: z.string() }, { apiVersion: z.string() }).meta(atomic),
  fileKeyRef: struct({ key: z.string(), path: z.string(), volumeName: z.string() }, { optional: flag }).meta(atomic),
  resourceFieldRef: struct({ resource: z.string() }, { containerName: z.string(), divisor: quantity }).meta(atomic),
});

const envVar = struct({ name: z.string() }, { value: z.string(), valueFrom });

export const envVars = list(envVar, { min: 1, max: 100 });
