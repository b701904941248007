import { ageColumn, clusterLabelColumn } from '../../schema/columns.ts';
import { field, within } from '../../v1beta1/rules.ts';
import { conditionRules, failureRules } from '../../v1beta1/shared-rules.ts';
import { v1beta1 } from '../../v1beta1/version.ts';
import { kubeadmConfigRules } from './rules.ts';
import { oldKubeadmConfigSchema } from './schema.ts';

export const kubeadmConfigV1beta1 = v1beta1({
  schema: oldKubeadmConfigSchema,
  rules: [
    ...within('spec', 'spec', kubeadmConfigRules),
    ...conditionRules,
    ...failureRules,
    field('status.ready', 'status.initialization.dataSecretCreated'),
  ],
  legacy: {
    conditions: {
      Ready: 'Ready',
      DataSecretAvailable: 'DataSecretAvailable',
      CertificatesAvailable: 'CertificatesAvailable',
    },
  },
  columns: [clusterLabelColumn, ageColumn('KubeadmConfig')],
});
