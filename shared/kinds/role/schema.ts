import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { options } from '../schema/fields.ts';
import { rules } from '../schema/rbac.ts';

export const roleSchema = options({ rules });

export interface Role extends KubeObject, z.input<typeof roleSchema> {}
