import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { bytes, flag, mapOf, options, textMap } from '../schema/fields.ts';

export const configMapSchema = options({ data: textMap, binaryData: mapOf(bytes), immutable: flag });

export interface ConfigMap extends KubeObject, z.input<typeof configMapSchema> {}
