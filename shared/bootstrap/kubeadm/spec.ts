/**
 * KubeadmConfigSpec (bootstrap.cluster.x-k8s.io/v1beta2) as the renderers read it. Structural on purpose: whatever
 * shared/kinds makes of a KubeadmConfig, a KubeadmControlPlane or a template is accepted when it has these fields.
 */
import type { EncryptionAlgorithm } from '../certificates/algorithms.ts';

export interface Arg {
  name: string;
  value: string;
}

/** core/v1 EnvVar; passed through as it is. */
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: unknown;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface HostPathMount {
  name: string;
  hostPath: string;
  mountPath: string;
  readOnly?: boolean;
  pathType?: string;
}

export interface ControlPlaneComponent {
  extraArgs?: readonly Arg[];
  extraVolumes?: readonly HostPathMount[];
  extraEnvs?: readonly EnvVar[];
}

export interface APIServer extends ControlPlaneComponent {
  certSANs?: readonly string[];
}

export interface LocalEtcd {
  imageRepository?: string;
  imageTag?: string;
  dataDir?: string;
  extraArgs?: readonly Arg[];
  extraEnvs?: readonly EnvVar[];
  serverCertSANs?: readonly string[];
  peerCertSANs?: readonly string[];
}

export interface ExternalEtcd {
  endpoints: readonly string[];
  caFile: string;
  certFile: string;
  keyFile: string;
}

export interface ClusterConfiguration {
  etcd?: { local?: LocalEtcd; external?: ExternalEtcd };
  controlPlaneEndpoint?: string;
  apiServer?: APIServer;
  controllerManager?: ControlPlaneComponent;
  scheduler?: ControlPlaneComponent;
  dns?: { imageRepository?: string; imageTag?: string };
  certificatesDir?: string;
  imageRepository?: string;
  featureGates?: Readonly<Record<string, boolean>>;
  certificateValidityPeriodDays?: number;
  caCertificateValidityPeriodDays?: number;
  encryptionAlgorithm?: EncryptionAlgorithm;
}

export interface NodeRegistrationOptions {
  name?: string;
  criSocket?: string;
  /** Absent: kubeadm's default taints. Empty: none. */
  taints?: readonly Taint[];
  kubeletExtraArgs?: readonly Arg[];
  ignorePreflightErrors?: readonly string[];
  imagePullPolicy?: string;
  imagePullSerial?: boolean;
}

export interface APIEndpoint {
  advertiseAddress?: string;
  bindPort?: number;
}

export interface Timeouts {
  controlPlaneComponentHealthCheckSeconds?: number;
  kubeletHealthCheckSeconds?: number;
  kubernetesAPICallSeconds?: number;
  etcdAPICallSeconds?: number;
  tlsBootstrapSeconds?: number;
  discoverySeconds?: number;
}

export interface BootstrapToken {
  token: string;
  description?: string;
  ttlSeconds?: number;
  expires?: string;
  usages?: readonly string[];
  groups?: readonly string[];
}

export interface InitConfiguration {
  bootstrapTokens?: readonly BootstrapToken[];
  nodeRegistration?: NodeRegistrationOptions;
  localAPIEndpoint?: APIEndpoint;
  skipPhases?: readonly string[];
  patches?: { directory?: string };
  timeouts?: Timeouts;
}

export interface DiscoveryKubeConfig {
  cluster?: {
    server?: string;
    tlsServerName?: string;
    insecureSkipTLSVerify?: boolean;
    /** base64 of PEM. */
    certificateAuthorityData?: string;
    proxyURL?: string;
  };
  user?: {
    authProvider?: { name: string; config?: Readonly<Record<string, string>> };
    exec?: {
      command: string;
      args?: readonly string[];
      env?: readonly { name: string; value: string }[];
      apiVersion?: string;
      provideClusterInfo?: boolean;
    };
  };
}

export interface Discovery {
  bootstrapToken?: {
    token?: string;
    apiServerEndpoint?: string;
    caCertHashes?: readonly string[];
    unsafeSkipCAVerification?: boolean;
  };
  file?: { kubeConfigPath: string; kubeConfig?: DiscoveryKubeConfig };
  tlsBootstrapToken?: string;
}

export interface JoinConfiguration {
  nodeRegistration?: NodeRegistrationOptions;
  caCertPath?: string;
  discovery?: Discovery;
  controlPlane?: { localAPIEndpoint?: APIEndpoint };
  skipPhases?: readonly string[];
  patches?: { directory?: string };
  timeouts?: Timeouts;
}

export interface File {
  path: string;
  owner?: string;
  permissions?: string;
  encoding?: 'base64' | 'gzip' | 'gzip+base64';
  append?: boolean;
  content?: string;
  contentFrom?: { secret: { name: string; key: string } };
  contentFormat?: 'Raw' | 'Template';
}

export interface User {
  name: string;
  gecos?: string;
  groups?: string;
  homeDir?: string;
  inactive?: boolean;
  shell?: string;
  passwd?: string;
  passwdFrom?: { secret: { name: string; key: string } };
  primaryGroup?: string;
  lockPassword?: boolean;
  sudo?: string;
  sshAuthorizedKeys?: readonly string[];
}

export interface Partition {
  device: string;
  layout?: boolean;
  overwrite?: boolean;
  tableType?: string;
  diskLayout?: readonly { percentage: number; partitionType?: string }[];
}

export interface Filesystem {
  device: string;
  filesystem: string;
  label?: string;
  partition?: string;
  overwrite?: boolean;
  replaceFS?: string;
  extraOpts?: readonly string[];
}

export interface DiskSetup {
  partitions?: readonly Partition[];
  filesystems?: readonly Filesystem[];
}

export interface KubeadmConfigSpec {
  clusterConfiguration?: ClusterConfiguration;
  initConfiguration?: InitConfiguration;
  joinConfiguration?: JoinConfiguration;
  files?: readonly File[];
  diskSetup?: DiskSetup;
  mounts?: readonly (readonly string[])[];
  bootCommands?: readonly string[];
  preKubeadmCommands?: readonly string[];
  postKubeadmCommands?: readonly string[];
  users?: readonly User[];
  ntp?: { servers?: readonly string[]; enabled?: boolean };
  format?: 'cloud-config' | 'ignition';
  verbosity?: number;
  ignition?: unknown;
}

/** What the kubeadm files need to know of the cluster, apart from the KubeadmConfigSpec. */
export interface ClusterFacts {
  name: string;
  endpoint: { host: string; port: number };
  podCidrs?: readonly string[];
  serviceCidrs?: readonly string[];
  /** `spec.clusterNetwork.serviceDomain`. */
  dnsDomain?: string;
  /** The machine's Kubernetes version, `v1.34.0`. */
  version: string;
}
