import type { ServedVersion } from '../../../kube-api/resource.ts';
import { ageColumn } from '../../schema/columns.ts';
import { options, struct } from '../../schema/fields.ts';
import { conditionStatus } from '../../v1beta1/schema.ts';
import { conditionRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { clientConfigFields, oldHandlers, specFields } from '../schema.ts';

const schema = () => {
  const spec = struct({ clientConfig: options(clientConfigFields) }, specFields);
  return options({ spec, status: options({ ...conditionStatus({}), handlers: oldHandlers() }) });
};

/** The version before v1beta2, which upstream also serves. Its conditions are where v1beta1 of other kinds has them. */
export const extensionConfigV1alpha1: ServedVersion = {
  ...v1beta1({ schema, rules: conditionRules, columns: [ageColumn('ExtensionConfig')] }),
  name: 'v1alpha1',
};
