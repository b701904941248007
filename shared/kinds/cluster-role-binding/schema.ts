import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import type { bindingSchema } from '../schema/rbac.ts';

export interface ClusterRoleBinding extends KubeObject, z.input<typeof bindingSchema> {}
