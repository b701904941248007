import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  certificatesBeforeText,
  deletionText,
  machineMetaText,
  maxRetryText,
  minHealthyPeriodText,
  namingText,
  remediationText,
  retryPeriodText,
  rolloutAfterText,
  strategyText,
  taintsText,
} from './control-plane.ts';
import { kubeadmConfigSpecFields } from './kubeadm-config-spec.ts';
import { oldKubeadmConfigSpecFields } from './kubeadm-v1beta1.ts';
import { deletionTimeoutFields, legacyTimeoutFields, taintFields } from './machine-spec.ts';

/** Texts that KubeadmControlPlane and KubeadmControlPlaneTemplate share. */

const configSpecText =
  'What the machines run at their first boot. A change replaces the machines one after another, except for changes of initConfiguration, DNS and discovery.';

export const machineTemplateText = 'Template of the control plane machines.';

/** `machineTemplate` of both kinds, in v1beta2. */
export const machineTemplateFields = {
  metadata: machineMetaText,
  spec: [
    'Spec of the Machines.',
    { deletion: [deletionText, deletionTimeoutFields], taints: [taintsText, taintFields] },
  ],
} satisfies FieldTexts;

/** The spec of both kinds, in v1beta2. */
export const kubeadmControlPlaneSpecFields = {
  machineTemplate: [machineTemplateText, machineTemplateFields],
  kubeadmConfigSpec: [configSpecText, kubeadmConfigSpecFields],
  rollout: [
    'When and how machines are replaced.',
    { before: certificatesBeforeText, after: rolloutAfterText, strategy: strategyText },
  ],
  remediation: [
    remediationText,
    {
      maxRetry: maxRetryText,
      retryPeriodSeconds: 'Seconds to wait before a failed replacement is replaced again. Defaults to 0.',
      minHealthyPeriodSeconds:
        'Seconds after which the failure of a replacement counts as a new failure instead of a retry. Defaults to 3600.',
    },
  ],
  machineNaming: namingText,
} satisfies FieldTexts;

/** `machineTemplate` of both kinds, as v1beta1 adds to it. */
export const oldMachineTemplateFields = {
  taints: [taintsText, taintFields],
  ...legacyTimeoutFields,
} satisfies FieldTexts;

/** The spec of both kinds, as v1beta1 adds to it. */
export const oldControlPlaneSpecFields = {
  kubeadmConfigSpec: [configSpecText, oldKubeadmConfigSpecFields],
  rolloutBefore: certificatesBeforeText,
  rolloutAfter: rolloutAfterText,
  rolloutStrategy: strategyText,
  remediationStrategy: [
    remediationText,
    {
      maxRetry: maxRetryText,
      retryPeriod: retryPeriodText,
      minHealthyPeriod: minHealthyPeriodText,
    },
  ],
  machineNamingStrategy: namingText,
} satisfies FieldTexts;
