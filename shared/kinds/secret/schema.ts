import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, bytes, flag, mapOf, options, textMap } from '../schema/fields.ts';

export const secretSchema = options({ data: mapOf(bytes), stringData: textMap, type: anyText, immutable: flag });

/** `data` is base64; `stringData` is plain text that clients may write: defaulting moves it into `data`. */
export interface Secret extends KubeObject, z.input<typeof secretSchema> {}
