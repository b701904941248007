import type { EncryptionAlgorithm } from '../../bootstrap/certificates/algorithms.ts';
import type { ControlPlane, ControlPlaneStatus } from '../../kinds/contract-objects.ts';
import { type KubeadmConfigSpec, type KubeadmControlPlane, kinds, type Machine } from '../../kinds/index.ts';
import { formatSelector } from '../../kinds/rules/kubernetes/label-selector.ts';
import { needsConfig } from '../../plan/control-plane/default-taint.ts';
import {
  controlPlaneHealth,
  LABELS_CONDITION,
  POD_CONDITIONS,
  unknownHealth,
} from '../../plan/control-plane/health.ts';
import { lastRemediation } from '../../plan/control-plane/remediation-data.ts';
import { FINALIZER, LABEL } from '../../plan/labels.ts';
import { countVersions } from '../../plan/status/counts.ts';
import type { Authority, Distribution } from '../distribution.ts';
import { initializer, kubeadmInput } from './bootstrap-input.ts';
import { certificatesExpiry } from './certificates-expiry.ts';
import { isSameConfig } from './comparable.ts';
import { etcdAccess } from './etcd-access.ts';
import { joinSpec } from './machine-spec.ts';
import { renderWithin } from './render-within.ts';
import { coreDns } from './upgrade-tasks/core-dns.ts';
import { kubeProxy } from './upgrade-tasks/kube-proxy.ts';
import { beforeRollout, KUBEADM_CONFIG } from './upgrade-tasks/kubeadm-config.ts';

/** The steps use the common type of control planes; here the actual kind is known. */
const specOf = (controlPlane: ControlPlane): KubeadmControlPlane['spec'] => (controlPlane as KubeadmControlPlane).spec;

const hasExternalEtcd = (controlPlane: ControlPlane): boolean =>
  specOf(controlPlane).kubeadmConfigSpec?.clusterConfiguration?.etcd?.external !== undefined;

const authorities = (configuration: KubeadmConfigSpec['clusterConfiguration']): Authority[] => {
  const own = {
    external: false,
    algorithm: configuration?.encryptionAlgorithm as EncryptionAlgorithm | undefined,
    days: configuration?.caCertificateValidityPeriodDays,
  };
  return [
    { purpose: 'ca', ...own },
    { purpose: 'etcd', ...own, external: configuration?.etcd?.external !== undefined },
    { purpose: 'proxy', ...own },
    { purpose: 'sa', ...own },
  ];
};

const status = (
  controlPlane: ControlPlane,
  common: ControlPlaneStatus,
  { machines }: { machines: readonly Machine[] },
): ControlPlaneStatus => {
  const { versions: _versions, lastRemediation: _last, ...rest } = (controlPlane as KubeadmControlPlane).status ?? {};
  const last = lastRemediation(controlPlane, machines);
  const clusterName = controlPlane.metadata.labels?.[LABEL.clusterName] ?? '';
  return {
    ...rest,
    ...common,
    // Workers and upgrades wait for the versions of a control plane, and images with another kubelet must not block
    // them.
    ...countVersions(machines, ({ spec }) => spec.version),
    ...(last ? { lastRemediation: last } : {}),
    selector: formatSelector({
      matchLabels: { [LABEL.clusterName]: clusterName },
      matchExpressions: [{ key: LABEL.controlPlane, operator: 'Exists' }],
    }),
  } as ControlPlaneStatus;
};

/** Clusters created with kubeadm, with the kinds of Cluster API's own bootstrap and control plane providers. */
export const kubeadm: Distribution = {
  controlPlane: kinds.kubeadmControlPlane,
  config: kinds.kubeadmConfig,
  configTemplate: kinds.kubeadmConfigTemplate,
  finalizer: FINALIZER.kubeadmControlPlane,
  component: 'kubeadm-control-plane',
  adopts: true,
  authorities: (controlPlane) => authorities(specOf(controlPlane).kubeadmConfigSpec?.clusterConfiguration),
  standalone: {
    authorities: ({ spec = {} }) => authorities((spec as KubeadmConfigSpec).clusterConfiguration),
  },
  kubeconfig: { server: 'ca', client: 'ca' },
  certificates: { configMap: KUBEADM_CONFIG.metadata.name, expiry: certificatesExpiry },
  rolloutDates: (controlPlane) => {
    const { before, after } = specOf(controlPlane).rollout ?? {};
    return { ...before, ...(after ? { after } : {}) };
  },
  naming: (controlPlane, clusterName) => {
    const template = specOf(controlPlane).machineNaming?.template;
    const kubeadmControlPlane = { name: controlPlane.metadata.name };
    return template ? { template, variables: { cluster: { name: clusterName }, kubeadmControlPlane } } : undefined;
  },
  remediation: (controlPlane) => specOf(controlPlane).remediation ?? {},
  maxSurge: (controlPlane) => Number(specOf(controlPlane).rollout?.strategy?.rollingUpdate?.maxSurge ?? 1),
  etcd: (controlPlane) => {
    if (hasExternalEtcd(controlPlane)) return undefined;
    return etcdAccess(specOf(controlPlane).kubeadmConfigSpec?.clusterConfiguration?.certificatesDir);
  },
  stepsByMinor: true,
  upgradeTasks: { joinsWith: 'clusterConfiguration', beforeRollout, afterRollout: [kubeProxy, coreDns] },
  isSameConfig: (spec, controlPlane) => {
    const { kubeadmConfigSpec = {}, version } = specOf(controlPlane);
    return isSameConfig(spec ?? {}, kubeadmConfigSpec, version);
  },
  configSpecOf: (controlPlane) => {
    const { kubeadmConfigSpec = {}, version } = specOf(controlPlane);
    return joinSpec(kubeadmConfigSpec, version);
  },
  render: async (request) => renderWithin(request.maxBytes, await kubeadmInput(request), request),
  usesBootstrapTokens: true,
  // Upstream tests the same: kubeadm uploads it at the end of init.
  initializedBy: { kind: 'ConfigMap', name: KUBEADM_CONFIG.metadata.name },
  healthConditions: (controlPlane) => ({
    components: POD_CONDITIONS,
    node: [LABELS_CONDITION],
    etcd: hasExternalEtcd(controlPlane) ? [] : ['EtcdPodHealthy', 'EtcdMemberHealthy'],
  }),
  initializer,
  health: controlPlaneHealth,
  healthNeedsConfig: needsConfig,
  unknownHealth,
  status,
};
