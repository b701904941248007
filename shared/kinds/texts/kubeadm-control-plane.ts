import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  certificatesBeforeText,
  deletionText,
  machineMetaText,
  maxRetryText,
  namingText,
  remediationText,
  rolloutAfterText,
  strategyText,
  taintsText,
} from './control-plane.ts';
import { kubeadmConfigSpecFields } from './kubeadm-config-spec.ts';
import { oldKubeadmConfigSpecFields } from './kubeadm-v1beta1.ts';
import { deletionFields, oldDeletionFields, taintFields } from './meta-f.ts';

/** Texts that KubeadmControlPlane and KubeadmControlPlaneTemplate share. */

export const configSpecText =
  'What the machines run at their first boot. A change replaces the machines one after another, unless only initConfiguration differs.';

export const machineTemplateText = 'What the control plane machines look like.';

/** `machineTemplate` of both kinds, in v1beta2. */
export const machineTemplateFields = {
  metadata: machineMetaText,
  spec: ['Spec of the Machines.', { deletion: [deletionText, deletionFields], taints: [taintsText, taintFields] }],
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
      retryPeriodSeconds: 'Seconds between two attempts to repair the same failure. Defaults to 0.',
      minHealthyPeriodSeconds:
        'Seconds after a replacement from which a new failure no longer counts as the same. Defaults to 3600.',
    },
  ],
  machineNaming: namingText,
} satisfies FieldTexts;

/** `machineTemplate` of both kinds, as v1beta1 adds to it. */
export const oldMachineTemplateFields = {
  taints: [taintsText, taintFields],
  ...oldDeletionFields,
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
      retryPeriod: 'Time between two attempts to repair the same failure, such as 10m0s. Defaults to 0s.',
      minHealthyPeriod:
        'Time after a replacement from which a new failure no longer counts as the same, such as 30m0s. Defaults to 1h0m0s.',
    },
  ],
  machineNamingStrategy: namingText,
} satisfies FieldTexts;
