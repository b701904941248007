import { isObject } from '../../../kube-api/json.ts';
import { kubeadmConfigRules } from '../../kubeadm-config/v1beta1/rules.ts';
import { oldKubeadmConfigSpec } from '../../kubeadm-config/v1beta1/schema.ts';
import { ageColumn } from '../../schema/columns.ts';
import { options, struct } from '../../schema/fields.ts';
import { templateMeta } from '../../schema/meta.ts';
import { within } from '../../v1beta1/rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';

interface Old {
  spec?: { template: { spec?: object } };
}

const isBare = (value: unknown): boolean => isObject(value) && Object.values(value).every(isBare);

/** A template without any setting is complete in v1beta1. v1beta2 requires one, so it gets the format that it has. */
const start = (old: Old): Old =>
  old.spec && isBare(old.spec.template) ? { ...old, spec: { template: { spec: { format: 'cloud-config' } } } } : old;

export const kubeadmConfigTemplateV1beta1 = v1beta1({
  schema: () =>
    options({ spec: struct({ template: options({ metadata: templateMeta, spec: oldKubeadmConfigSpec() }) }, {}) }),
  rules: within('spec.template.spec', 'spec.template.spec', kubeadmConfigRules),
  start,
  columns: [ageColumn('KubeadmConfigTemplate')],
});
