import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { extraEnvsText } from './env-var.ts';

/** Texts of `clusterConfiguration`: what all control plane machines of a cluster share. */

const argFields = {
  name: 'Name of the flag, without leading dashes. May occur once.',
  value: 'Value of the flag. May be empty.',
} satisfies FieldTexts;

/** Flags of one program, by its name. */
export const argsText = (program: string) =>
  [
    `Command-line flags for ${program}, named without leading dashes. They override the flags that kubeadm sets.`,
    argFields,
  ] satisfies FieldText;

const extraVolumesText = [
  'Directories and files of the machine that are mounted into the container.',
  {
    name: 'Name of the volume in the pod. Must not clash with a volume of kubeadm.',
    hostPath: 'Path on the machine.',
    mountPath: 'Path in the container.',
    readOnly: 'Mounts the volume read-only. Defaults to false.',
    pathType:
      'Kind of hostPath volume: what must exist at the path or is created there, such as File or DirectoryOrCreate. Defaults to no check.',
  },
] satisfies FieldText;

const component = (program: string) =>
  ({
    extraArgs: argsText(program),
    extraVolumes: extraVolumesText,
    extraEnvs: extraEnvsText,
  }) satisfies FieldTexts;

const image = (repository: string, tag: string) =>
  ({
    imageRepository: `Registry and path to pull the image of ${repository} from. Defaults to imageRepository of clusterConfiguration.`,
    imageTag: tag,
  }) satisfies FieldTexts;

const etcdFields = {
  local: [
    'Runs an etcd member on each control plane machine. This is the default; cannot be combined with external.',
    {
      ...image(
        'etcd',
        'Tag of the etcd image. Defaults to the version that belongs to the Kubernetes version; once set, upgrades of Kubernetes no longer change it.',
      ),
      dataDir: 'Directory on the machine that holds the data of etcd. Defaults to /var/lib/etcd.',
      extraArgs: argsText('etcd'),
      extraEnvs: extraEnvsText,
      serverCertSANs: 'Further DNS names and IP addresses in the certificate that etcd shows to clients.',
      peerCertSANs: 'Further DNS names and IP addresses in the certificate that etcd shows to other members.',
    },
  ],
  external: [
    'Uses an etcd cluster that Windlass does not manage. An existing control plane cannot switch between local and external etcd.',
    {
      endpoints: 'URLs of the etcd members. 1 to 50 entries.',
      caFile: 'Path on the control plane machines of the CA certificate of the etcd servers.',
      certFile: 'Path on the control plane machines of the client certificate for etcd.',
      keyFile: 'Path on the control plane machines of the private key of certFile.',
    },
  ],
} satisfies FieldTexts;

export const clusterConfigurationText =
  'What all control plane machines share: components, etcd, DNS and certificates. Handed to kubeadm init, and kept up to date in the ConfigMap kubeadm-config.';

export const apiServerText = 'Settings of kube-apiserver.';

export const clusterConfigurationFields = {
  etcd: ['Where etcd runs. Defaults to a member on each control plane machine.', etcdFields],
  controlPlaneEndpoint:
    'Address of the API server, as host or host:port. Defaults to spec.controlPlaneEndpoint of the Cluster; immutable in a control plane.',
  apiServer: [
    apiServerText,
    {
      ...component('kube-apiserver'),
      certSANs: 'Further DNS names and IP addresses in the certificate of kube-apiserver.',
    },
  ],
  controllerManager: ['Settings of kube-controller-manager.', component('kube-controller-manager')],
  scheduler: ['Settings of kube-scheduler.', component('kube-scheduler')],
  dns: [
    'Image of CoreDNS. CoreDNS is updated in place when this changes or Kubernetes is upgraded.',
    image(
      'CoreDNS',
      'Tag of the CoreDNS image, a version such as v1.12.1. Defaults to the version that belongs to the Kubernetes version; upgrades are supported from 1.8.3 to 1.14.',
    ),
  ],
  certificatesDir:
    'Directory on the machines that holds the certificates and keys. Defaults to /etc/kubernetes/pki; immutable in a control plane.',
  imageRepository: 'Registry and path to pull the control plane images from. Defaults to registry.k8s.io.',
  featureGates:
    'Feature gates of kubeadm, by name. ControlPlaneKubeletLocalMode is on by default from Kubernetes 1.31 to 1.35.',
  certificateValidityPeriodDays:
    'Days that the certificates made by kubeadm are valid, 1 to 1095. Defaults to 365; needs Kubernetes 1.31 or newer.',
  caCertificateValidityPeriodDays:
    'Days that the certificate authorities of the cluster are valid, 1 to 36500. Defaults to 3650; immutable in a control plane.',
  encryptionAlgorithm:
    'Algorithm of new keys: RSA-2048, RSA-3072, RSA-4096, ECDSA-P256 or ECDSA-P384. Defaults to RSA-2048; existing authorities keep their keys.',
} satisfies FieldTexts;
