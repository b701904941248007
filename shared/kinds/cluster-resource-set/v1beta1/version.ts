import { ageColumn } from '../../schema/columns.ts';
import { int64, list, options, struct } from '../../schema/fields.ts';
import { conditionStatus } from '../../v1beta1/schema.ts';
import { conditionRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { clusterResourceSetSchema, resourceRef } from '../schema.ts';

const schema = () => {
  const { clusterSelector, strategy } = clusterResourceSetSchema.shape.spec.shape;
  const spec = struct({ clusterSelector }, { resources: list(struct(resourceRef, {}), { max: 100 }), strategy });
  return options({ spec, status: options({ ...conditionStatus({}), observedGeneration: int64() }) });
};

export const clusterResourceSetV1beta1 = v1beta1({
  schema,
  rules: conditionRules,
  columns: [ageColumn('ClusterResourceSet')],
});
