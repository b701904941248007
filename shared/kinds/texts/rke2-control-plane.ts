import type { FieldTexts } from '../../kube-api/schema/field-texts.ts';
import {
  deletionText,
  machineMetaText,
  maxRetryText,
  minHealthyPeriodText,
  remediationText,
  retryPeriodText,
} from './control-plane.ts';
import { contractReferenceFields } from './meta.ts';
import { rke2ConfigSpecFields } from './rke2-config-spec.ts';
import { configMapText } from './rke2-reference.ts';
import { serverConfigText } from './rke2-server-config.ts';

/** Texts that RKE2ControlPlane and RKE2ControlPlaneTemplate share. */
export const rke2ControlPlaneSpecFields = {
  ...rke2ConfigSpecFields,
  serverConfig: serverConfigText,
  manifestsConfigMapReference: configMapText(
    'ConfigMap whose entries RKE2 applies to the cluster. The keys are file names that end in .yaml, .yml or .json.',
  ),
  registrationMethod:
    'Where machines register, on port 9345: control-plane-endpoint, address (registrationAddress) or addresses of servers (internal-first, internal-only-ips, external-only-ips). Defaults to control-plane-endpoint; immutable once set.',
  registrationAddress: 'Host name or IP address where machines register. Required if registrationMethod is address.',
  rolloutStrategy: [
    'How machines are replaced during a rollout.',
    {
      type: 'Kind of rollout. Machines are always replaced one after another, whatever is set.',
      rollingUpdate: [
        'Limits of the rolling update.',
        {
          maxSurge:
            'Number of extra machines during a rollout: 1 creates the new machine first, 0 deletes the old one first. Defaults to 1, which is always used below 3 replicas.',
        },
      ],
    },
  ],
  remediationStrategy: [
    remediationText,
    { maxRetry: maxRetryText, retryPeriod: retryPeriodText, minHealthyPeriod: minHealthyPeriodText },
  ],
  machineTemplate: [
    'Template of the control plane machines.',
    {
      metadata: machineMetaText,
      spec: [
        'Spec of the Machines.',
        {
          infrastructureRef: [
            'Template that the machines are cloned from, such as an AWSMachineTemplate. A reference to a template with another name replaces the machines one after another.',
            contractReferenceFields,
          ],
          deletion: [
            deletionText,
            {
              nodeDrainTimeoutSeconds:
                'Seconds that the drain of the node may take before the machine is deleted anyway. Defaults to 120; 0 means no limit.',
              nodeVolumeDetachTimeoutSeconds:
                'Seconds to wait for the volumes of the node to be detached before the machine is deleted anyway. Defaults to 300; 0 means no limit.',
              nodeDeletionTimeoutSeconds:
                'Seconds during which the deletion of the Node object is retried once the instance is gone. Defaults to 10; 0 means no limit.',
            },
          ],
        },
      ],
    },
  ],
} satisfies FieldTexts;
