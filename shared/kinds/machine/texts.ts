import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { legacyMachineSpecFields, machineSpecFields } from '../texts/machine-spec.ts';
import {
  conditionsText,
  deprecatedStatusText,
  failureFields,
  objectReferenceFields,
  v1beta1StatusFields,
} from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';

const SPEC = 'The desired machine. Changing it does not replace the machine; its owner does that.';
const STATUS = 'What the controllers observe. Written by the controllers.';
const NODE = 'Node that the machine has become. Empty until the node has joined the cluster.';

export const machineTexts = {
  text: 'One machine of a cluster and the node that it becomes. Usually created by a control plane or a MachineSet.',
  fields: {
    spec: [SPEC, machineSpecFields],
    status: [
      STATUS,
      {
        conditions: conditionsText,
        initialization: [
          'Milestones of the creation. Once true they stay true.',
          {
            infrastructureProvisioned: 'True once the instance runs.',
            bootstrapDataSecretCreated: 'True once the Secret with the boot script exists.',
          },
        ],
        nodeRef: [NODE, { name: 'Name of the Node.' }],
        nodeInfo: [
          'System information that the node reports.',
          {
            machineID: 'Machine id of the operating system, from /etc/machine-id.',
            systemUUID: 'UUID of the hardware or the virtual machine.',
            bootID: 'Id of the current boot. It changes with every restart.',
            kernelVersion: 'Version of the kernel.',
            osImage: 'Name of the operating system, from /etc/os-release.',
            containerRuntimeVersion: 'Container runtime with its version, such as containerd://2.1.4.',
            kubeletVersion: 'Version of the kubelet.',
            kubeProxyVersion: 'Version of kube-proxy, for nodes that still report it.',
            operatingSystem: 'Operating system: linux or windows.',
            architecture: 'CPU architecture, such as amd64 or arm64.',
            swap: ['Swap space of the node.', { capacity: 'Size in bytes.' }],
          },
        ],
        lastUpdated: 'When the phase last changed, in RFC 3339 form.',
        addresses: [
          'Addresses of the machine.',
          {
            type: 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.',
            address: 'IP address or DNS name.',
          },
        ],
        failureDomain: 'Failure domain in which the machine runs.',
        phase:
          'Summary for people: Pending, Provisioning, Provisioned, Running, Updating, Deleting, Deleted, Failed or Unknown. Programs should read the conditions.',
        certificatesExpiryDate:
          'When the certificates of a control plane machine expire, in RFC 3339 form. Empty for workers.',
        observedGeneration: observedGenerationText,
        deletion: [
          'Stages of a deletion. Empty until the machine is deleted.',
          {
            nodeDrainStartTime: 'When draining the node began.',
            waitForNodeVolumeDetachStartTime: 'When the wait for volumes to be detached began.',
            waitForPreDrainHookStartTime: 'When the wait for the hooks before the drain began.',
            waitForPreTerminateHookStartTime: 'When the wait for the hooks before the termination began.',
          },
        ],
        deprecated: deprecatedStatusText(failureFields),
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [SPEC, legacyMachineSpecFields],
      status: [
        STATUS,
        {
          ...v1beta1StatusFields,
          ...failureFields,
          nodeRef: [NODE, { ...objectReferenceFields, name: 'Name of the Node.' }],
          bootstrapReady: 'True once the Secret with the boot script exists.',
          infrastructureReady: 'True once the instance runs.',
        },
      ],
    },
  },
} satisfies KindTexts;
