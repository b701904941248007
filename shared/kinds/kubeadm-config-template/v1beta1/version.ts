import { kubeadmConfigRules } from '../../kubeadm-config/v1beta1/rules.ts';
import { oldKubeadmConfigSpec } from '../../kubeadm-config/v1beta1/schema.ts';
import { ageColumn } from '../../schema/columns.ts';
import { options, struct } from '../../schema/fields.ts';
import { templateMeta } from '../../schema/meta.ts';
import { within } from '../../v1beta1/rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';

export const kubeadmConfigTemplateV1beta1 = v1beta1({
  schema: () =>
    options({ spec: struct({ template: options({ metadata: templateMeta, spec: oldKubeadmConfigSpec() }) }, {}) }),
  rules: within('spec.template.spec', 'spec.template.spec', kubeadmConfigRules),
  columns: [ageColumn('KubeadmConfigTemplate')],
});
