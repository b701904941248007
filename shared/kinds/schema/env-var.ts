import * as z from 'zod';
import { flag, intOrString, list, options, struct } from './fields.ts';

/** core/v1 EnvVar: an environment variable of a control plane container. */

const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;

const keySelector = struct({ key: z.string() }, { name: z.string(), optional: flag }).meta(atomic);

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** resource.Quantity, as `100m` or a bare number. */
export const quantity = intOrString.meta({ 'x-kubernetes-int-or-string': true, pattern: QUANTITY });

const valueFrom = options({
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
  fieldRef: struct({ fieldPath: z.string() }, { apiVersion: z.string() }).meta(atomic),
  fileKeyRef: struct({ key: z.string(), path: z.string(), volumeName: z.string() }, { optional: flag }).meta(atomic),
  resourceFieldRef: struct({ resource: z.string() }, { containerName: z.string(), divisor: quantity }).meta(atomic),
});

const envVar = struct({ name: z.string() }, { value: z.string(), valueFrom });

export const envVars = list(envVar, { min: 1, max: 100 });
