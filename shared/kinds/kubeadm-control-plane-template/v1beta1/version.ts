import { oldKubeadmConfigSpec } from '../../kubeadm-config/v1beta1/schema.ts';
import { oldControlPlaneFields } from '../../kubeadm-control-plane/v1beta1/schema.ts';
import { controlPlaneRules } from '../../kubeadm-control-plane/v1beta1/version.ts';
import { ageColumn } from '../../schema/columns.ts';
import { options, struct } from '../../schema/fields.ts';
import { machineTaints } from '../../schema/machine-parts.ts';
import { templateMeta } from '../../schema/meta.ts';
import { within } from '../../v1beta1/rules.ts';
import { deletionTimeouts } from '../../v1beta1/schema.ts';
import { v1beta1 } from '../../v1beta1/version.ts';

const schema = () => {
  const machineTemplate = options({ metadata: templateMeta, taints: machineTaints, ...deletionTimeouts() });
  const resource = struct(
    { kubeadmConfigSpec: oldKubeadmConfigSpec() },
    { machineTemplate, ...oldControlPlaneFields() },
  );
  return options({ spec: struct({ template: struct({ spec: resource }, { metadata: templateMeta }) }, {}) });
};

interface Old {
  spec?: { template?: { spec?: { kubeadmConfigSpec?: object } } };
}

/** v1beta1 requires fields that v1beta2 omits if they are empty. */
const finish = (old: Old): Old => {
  const spec = old.spec?.template?.spec;
  return {
    ...old,
    spec: {
      ...old.spec,
      template: { ...old.spec?.template, spec: { ...spec, kubeadmConfigSpec: spec?.kubeadmConfigSpec ?? {} } },
    },
  };
};

export const kubeadmControlPlaneTemplateV1beta1 = v1beta1({
  schema,
  rules: within('spec.template.spec', 'spec.template.spec', controlPlaneRules),
  finish,
  columns: [ageColumn('KubeadmControlPlaneTemplate')],
});
