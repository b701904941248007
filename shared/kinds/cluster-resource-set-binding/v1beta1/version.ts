import { ageColumn } from '../../schema/columns.ts';
import { options } from '../../schema/fields.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { clusterResourceSetBindingSchema } from '../schema.ts';

export const clusterResourceSetBindingV1beta1 = v1beta1({
  // The cluster may be omitted, because the binding has its name.
  schema: () => options({ spec: options(clusterResourceSetBindingSchema.shape.spec.shape) }),
  rules: [],
  columns: [ageColumn('ClusterResourceSetBinding')],
});
