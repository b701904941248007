import { readYaml } from '../user-data/yaml.ts';
import { duration, type Fields, integer, isFields, section, sections, text, texts } from './fields.ts';

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

export interface NodeRegistration {
  name: string | undefined;
  /** Undefined if the field is missing: then a control plane node gets its usual taint. */
  taints: Taint[] | undefined;
  /** In order; a name may occur twice. */
  kubeletExtraArgs: { name: string; value: string }[];
  criSocket: string;
}

export interface ClusterConfiguration {
  /** The original document, for the ConfigMap kubeadm-config. */
  document: Fields;
  clusterName: string;
  /** With a leading `v`. */
  kubernetesVersion: string;
  controlPlaneEndpoint: string | undefined;
  certificatesDir: string;
  dnsDomain: string;
  serviceSubnet: string;
  podSubnet: string | undefined;
  certSans: string[];
  /** The arguments of the API server. */
  apiServerArgs: { name: string; value: string }[];
  imageRepository: string;
  isEtcdExternal: boolean;
}

export interface BootstrapToken {
  token: string;
  ttlMilliseconds: number;
  /** RFC 3339; takes precedence over the time to live. */
  expires: string | undefined;
  usages: string[];
  groups: string[];
  description: string | undefined;
}

/** All in milliseconds. */
export interface Timeouts {
  controlPlaneComponentHealthCheck: number;
  kubernetesApiCall: number;
  etcdApiCall: number;
  tlsBootstrap: number;
  discovery: number;
}

export interface LocalEndpoint {
  advertiseAddress: string | undefined;
  bindPort: number;
}

export interface InitConfiguration {
  /** The folder with patches of this machine's static pods. */
  patches: string | undefined;
  bootstrapTokens: BootstrapToken[];
  nodeRegistration: NodeRegistration;
  endpoint: LocalEndpoint;
  timeouts: Timeouts;
}

export interface JoinConfiguration {
  patches: string | undefined;
  nodeRegistration: NodeRegistration;
  caCertPath: string;
  /** Token discovery, the only kind that the simulated machine supports. */
  discovery: { token: string; apiServerEndpoint: string; caCertHashes: string[]; unsafeSkipCaVerification: boolean };
  /** Set if the node becomes a control plane node. */
  controlPlane: LocalEndpoint | undefined;
  timeouts: Timeouts;
}

/** The documents of one kubeadm configuration file. */
export interface KubeadmFile {
  /** `v1beta3` or `v1beta4`. */
  version: string;
  cluster: ClusterConfiguration | undefined;
  init: InitConfiguration | undefined;
  join: JoinConfiguration | undefined;
}

const GROUP = 'kubeadm.k8s.io/';
const VERSIONS = ['v1beta3', 'v1beta4'];
const MINUTE = 60_000;

/** v1beta3 has a map, v1beta4 a list of names and values. */
const extraArgs = (source: Fields, key: string): { name: string; value: string }[] => {
  const value = source[key];
  if (isFields(value)) return Object.keys(value).map((name) => ({ name, value: text(value, name) ?? '' }));
  return sections(source, key).map((entry) => ({ name: text(entry, 'name') ?? '', value: text(entry, 'value') ?? '' }));
};

const toTaint = (source: Fields): Taint => ({
  key: text(source, 'key') ?? '',
  value: text(source, 'value'),
  effect: text(source, 'effect') ?? '',
});

const readNodeRegistration = (document: Fields): NodeRegistration => {
  const source = section(document, 'nodeRegistration');
  return {
    name: text(source, 'name'),
    taints: source.taints === undefined || source.taints === null ? undefined : sections(source, 'taints').map(toTaint),
    kubeletExtraArgs: extraArgs(source, 'kubeletExtraArgs'),
    criSocket: text(source, 'criSocket') ?? 'unix:///var/run/containerd/containerd.sock',
  };
};

/** In v1beta3, the discovery timeout is in `discovery`; the other timeouts had no field yet. */
const readTimeouts = (document: Fields): Timeouts => {
  const source = section(document, 'timeouts');
  return {
    controlPlaneComponentHealthCheck: duration(source, 'controlPlaneComponentHealthCheck') ?? 4 * MINUTE,
    kubernetesApiCall: duration(source, 'kubernetesAPICall') ?? MINUTE,
    etcdApiCall: duration(source, 'etcdAPICall') ?? 2 * MINUTE,
    tlsBootstrap: duration(source, 'tlsBootstrap') ?? 5 * MINUTE,
    discovery: duration(source, 'discovery') ?? duration(section(document, 'discovery'), 'timeout') ?? 5 * MINUTE,
  };
};

const readEndpoint = (source: Fields): LocalEndpoint => ({
  advertiseAddress: text(section(source, 'localAPIEndpoint'), 'advertiseAddress'),
  bindPort: integer(section(source, 'localAPIEndpoint'), 'bindPort') || 6443,
});

const readToken = (source: Fields): BootstrapToken => ({
  token: text(source, 'token') ?? '',
  ttlMilliseconds: duration(source, 'ttl') ?? 24 * 60 * MINUTE,
  expires: text(source, 'expires'),
  usages: source.usages === undefined ? ['signing', 'authentication'] : texts(source, 'usages'),
  groups: source.groups === undefined ? ['system:bootstrappers:kubeadm:default-node-token'] : texts(source, 'groups'),
  description: text(source, 'description'),
});

const readPatches = (document: Fields): string | undefined => text(section(document, 'patches'), 'directory');

const readInit = (document: Fields): InitConfiguration => ({
  patches: readPatches(document),
  bootstrapTokens: sections(document, 'bootstrapTokens').map(readToken),
  nodeRegistration: readNodeRegistration(document),
  endpoint: readEndpoint(document),
  timeouts: readTimeouts(document),
});

const readCluster = (document: Fields): ClusterConfiguration => {
  const networking = section(document, 'networking');
  const version = text(document, 'kubernetesVersion');
  if (!version || !/^v?\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`kubernetesVersion: version "${version ?? ''}" doesn't match patterns for a semantic version`);
  }
  return {
    document,
    clusterName: text(document, 'clusterName') ?? 'kubernetes',
    kubernetesVersion: version.startsWith('v') ? version : `v${version}`,
    controlPlaneEndpoint: text(document, 'controlPlaneEndpoint'),
    certificatesDir: text(document, 'certificatesDir') ?? '/etc/kubernetes/pki',
    dnsDomain: text(networking, 'dnsDomain') ?? 'cluster.local',
    serviceSubnet: text(networking, 'serviceSubnet') ?? '10.96.0.0/12',
    podSubnet: text(networking, 'podSubnet'),
    certSans: texts(section(document, 'apiServer'), 'certSANs'),
    apiServerArgs: extraArgs(section(document, 'apiServer'), 'extraArgs'),
    imageRepository: text(document, 'imageRepository') ?? 'registry.k8s.io',
    isEtcdExternal: section(document, 'etcd').external !== undefined,
  };
};

const readJoin = (document: Fields): JoinConfiguration => {
  const discovery = section(document, 'discovery');
  if (discovery.file !== undefined) throw new Error('discovery.file: the simulated machine does token discovery only');
  const source = section(discovery, 'bootstrapToken');
  if (!isFields(discovery.bootstrapToken))
    throw new Error('discovery: Invalid value: "": bootstrapToken or file must be set');
  return {
    patches: readPatches(document),
    nodeRegistration: readNodeRegistration(document),
    caCertPath: text(document, 'caCertPath') ?? '/etc/kubernetes/pki/ca.crt',
    discovery: {
      token: text(source, 'token') ?? text(discovery, 'tlsBootstrapToken') ?? '',
      apiServerEndpoint: text(source, 'apiServerEndpoint') ?? '',
      caCertHashes: texts(source, 'caCertHashes'),
      unsafeSkipCaVerification: source.unsafeSkipCAVerification === true,
    },
    controlPlane: isFields(document.controlPlane) ? readEndpoint(document.controlPlane) : undefined,
    timeouts: readTimeouts(document),
  };
};

const documentsOf = (source: string): Fields[] =>
  readYaml(source).flatMap((value) => {
    if (value === null || value === undefined) return [];
    if (!isFields(value)) throw new Error('error unmarshaling JSON: a document is not a map');
    return [value];
  });

const versionOf = (documents: readonly Fields[]): string => {
  for (const document of documents) {
    const apiVersion = text(document, 'apiVersion') ?? '';
    if (!apiVersion.startsWith(GROUP)) continue;
    const version = apiVersion.slice(GROUP.length);
    if (VERSIONS.includes(version)) return version;
    throw new Error(
      `no kind "${text(document, 'kind') ?? ''}" is registered for version "${apiVersion}" (known: ${VERSIONS.join(', ')})`,
    );
  }
  throw new Error('invalid configuration: kind and apiVersion of kubeadm.k8s.io must be specified');
};

/**
 * Reads a kubeadm configuration file with one or more YAML documents of kubeadm.k8s.io/v1beta3 or v1beta4. Documents of
 * other groups (KubeletConfiguration) are ignored, and so are unknown fields, for which kubeadm only prints a warning.
 * Throws an Error with kubeadm's message.
 */
export const parseKubeadmFile = (source: string): KubeadmFile => {
  const documents = documentsOf(source);
  const version = versionOf(documents);
  const find = (kind: string): Fields | undefined =>
    documents.find((document) => document.kind === kind && document.apiVersion === GROUP + version);
  const cluster = find('ClusterConfiguration');
  const init = find('InitConfiguration');
  const join = find('JoinConfiguration');
  return {
    version,
    cluster: cluster && readCluster(cluster),
    init: (init ?? cluster) && readInit(init ?? {}),
    join: join && readJoin(join),
  };
};

/** Reads the ClusterConfiguration from the ConfigMap kube-system/kubeadm-config. */
export const parseClusterConfiguration = (source: string): ClusterConfiguration => {
  const [document] = documentsOf(source);
  if (!document) throw new Error('the document is empty');
  return readCluster(document);
};
