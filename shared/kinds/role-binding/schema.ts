import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import type { bindingSchema } from '../schema/rbac.ts';

export interface RoleBinding extends KubeObject, z.input<typeof bindingSchema> {}
