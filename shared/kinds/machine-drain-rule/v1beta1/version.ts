import { v1beta1 } from '../../v1beta1/version.ts';
import { machineDrainRuleColumns } from '../columns.ts';
import { machineDrainRuleSchema } from '../schema.ts';

/** The same in both versions. */
export const machineDrainRuleV1beta1 = v1beta1({
  schema: () => machineDrainRuleSchema,
  rules: [],
  columns: machineDrainRuleColumns,
});
