import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { options } from '../schema/fields.ts';
import { aggregationRule, rules } from '../schema/rbac.ts';

export const clusterRoleSchema = options({ aggregationRule, rules });

/** With an `aggregationRule` the rules are those of the selected roles (shared/access/aggregate.ts). */
export interface ClusterRole extends KubeObject, z.input<typeof clusterRoleSchema> {}
