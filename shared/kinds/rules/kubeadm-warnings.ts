import type { KubeadmConfigSpec } from '../schema/kubeadm-config-spec.ts';
import { type Unsupported, warnUnsupported } from './unsupported.ts';

const UNSUPPORTED: Unsupported<KubeadmConfigSpec> = {
  format: (spec) => spec.format === 'ignition',
  ignition: (spec) => spec.ignition,
  'clusterConfiguration.etcd.external': (spec) => spec.clusterConfiguration?.etcd?.external,
  'clusterConfiguration.encryptionAlgorithm': (spec) =>
    spec.clusterConfiguration?.encryptionAlgorithm !== 'RSA-2048' && spec.clusterConfiguration?.encryptionAlgorithm,
  'clusterConfiguration.caCertificateValidityPeriodDays': (spec) =>
    spec.clusterConfiguration?.caCertificateValidityPeriodDays,
  'joinConfiguration.discovery.file': (spec) => spec.joinConfiguration?.discovery?.file,
};

/** Warnings for kubeadm configuration wherever it stands; `prefix` is the path of the spec. */
export const warnKubeadmConfig = (spec: KubeadmConfigSpec | undefined, prefix: string): string[] =>
  spec ? warnUnsupported(UNSUPPORTED, spec, prefix) : [];
