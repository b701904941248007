import { formatDays } from '../../kinds/rules/duration.ts';
import { compact, type Fields } from './document.ts';
import { hostPort } from './endpoint.ts';
import { args } from './node-registration.ts';
import type { ClusterConfiguration, ClusterFacts, ControlPlaneComponent, LocalEtcd, Timeouts } from './spec.ts';
import { timeoutForControlPlane } from './timeouts.ts';
import { featureGates, type KubeadmApi, kubeadmApi } from './version.ts';

const isV1beta4 = (api: KubeadmApi): boolean => api === 'kubeadm.k8s.io/v1beta4';

const component = (api: KubeadmApi, options: ControlPlaneComponent | undefined): Fields => ({
  extraArgs: args(api, options?.extraArgs),
  extraVolumes: options?.extraVolumes,
  extraEnvs: isV1beta4(api) ? options?.extraEnvs : undefined,
});

const localEtcd = (api: KubeadmApi, etcd: LocalEtcd): Fields => ({
  imageRepository: etcd.imageRepository,
  imageTag: etcd.imageTag,
  dataDir: etcd.dataDir,
  extraArgs: args(api, etcd.extraArgs),
  extraEnvs: isV1beta4(api) ? etcd.extraEnvs : undefined,
  serverCertSANs: etcd.serverCertSANs,
  peerCertSANs: etcd.peerCertSANs,
});

const etcd = (api: KubeadmApi, configuration: ClusterConfiguration): Fields => ({
  local: configuration.etcd?.local === undefined ? undefined : localEtcd(api, configuration.etcd.local),
  external: configuration.etcd?.external,
});

const list = (cidrs: readonly string[] | undefined): string | undefined =>
  cidrs === undefined || cidrs.length === 0 ? undefined : cidrs.join(',');

/**
 * kubeadm's ClusterConfiguration: the user's, completed with settings of the Cluster and the Machine. An endpoint that
 * the user has set in it takes precedence over the cluster's. v1beta3 does not have `extraEnvs`, the validity periods
 * and `encryptionAlgorithm`; as in upstream, they are left out there.
 */
export const clusterConfiguration = (
  cluster: ClusterFacts,
  configuration: ClusterConfiguration,
  initTimeouts: Timeouts | undefined,
): Fields => {
  const api = kubeadmApi(cluster.version);
  return compact({
    apiVersion: api,
    kind: 'ClusterConfiguration',
    clusterName: cluster.name,
    kubernetesVersion: cluster.version.startsWith('v') ? cluster.version : `v${cluster.version}`,
    controlPlaneEndpoint: configuration.controlPlaneEndpoint ?? hostPort(cluster.endpoint),
    networking: {
      podSubnet: list(cluster.podCidrs),
      serviceSubnet: list(cluster.serviceCidrs),
      dnsDomain: cluster.dnsDomain,
    },
    apiServer: {
      ...component(api, configuration.apiServer),
      certSANs: configuration.apiServer?.certSANs,
      timeoutForControlPlane: isV1beta4(api) ? undefined : timeoutForControlPlane(initTimeouts),
    },
    controllerManager: component(api, configuration.controllerManager),
    scheduler: component(api, configuration.scheduler),
    etcd: etcd(api, configuration),
    dns: configuration.dns && { ...configuration.dns },
    certificatesDir: configuration.certificatesDir,
    imageRepository: configuration.imageRepository,
    featureGates: featureGates(cluster.version, configuration.featureGates),
    encryptionAlgorithm: isV1beta4(api) ? configuration.encryptionAlgorithm : undefined,
    certificateValidityPeriod: isV1beta4(api) ? formatDays(configuration.certificateValidityPeriodDays) : undefined,
    caCertificateValidityPeriod: isV1beta4(api) ? formatDays(configuration.caCertificateValidityPeriodDays) : undefined,
  });
};
