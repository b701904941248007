import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, flag, list, objectReference, options } from '../schema/fields.ts';

const localReference = options({ name: anyText }).meta({ 'x-kubernetes-map-type': 'atomic' });

const byName = { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' };

export const serviceAccountSchema = options({
  secrets: z
    .array(objectReference)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], ...byName }),
  imagePullSecrets: list(localReference),
  automountServiceAccountToken: flag,
});

/** core/v1 ServiceAccount. It is only stored: no tokens are created for it. */
export interface ServiceAccount extends KubeObject, z.input<typeof serviceAccountSchema> {}
