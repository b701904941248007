import { type Fields, integer, isFields, text } from '../kubeadm/fields.ts';
import { readYaml } from '../user-data/yaml.ts';

/** The fields of config.yaml that the simulated machine reads. */
export interface Rke2Config {
  keys: string[];
  token: string | undefined;
  agentToken: string | undefined;
  /** `https://host:9345`; undefined on the first server. */
  server: string | undefined;
  dataDir: string;
  nodeName: string | undefined;
  nodeLabels: string[];
  nodeTaints: string[];
  /** `flag=value`, in order. */
  kubeletArgs: string[];
  tlsSan: string[];
  clusterCidr: string;
  serviceCidr: string;
  clusterDomain: string;
  /** Undefined if RKE2's own cloud controller manager manages the nodes. */
  externalCloudProvider: boolean;
  disableScheduler: boolean;
  disableKubeProxy: boolean;
  datastoreEndpoint: string | undefined;
}

/** RKE2 accepts one value, or a list of values, for a flag that may be repeated. */
const listOf = (source: Fields, key: string): string[] => {
  const value = source[key];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
};

const isOn = (source: Fields, key: string): boolean => source[key] === true || source[key] === 'true';

/** Reads config.yaml. Throws an Error if RKE2 would not start with it. */
export const parseRke2Config = (content: string): Rke2Config => {
  const [document = {}] = readYaml(content);
  if (!isFields(document ?? {})) throw new Error('config.yaml: yaml: unmarshal errors: cannot unmarshal into a map');
  const source = (document ?? {}) as Fields;
  integer(source, 'lb-server-port');
  const provider = text(source, 'cloud-provider-name');
  return {
    keys: Object.keys(source),
    token: text(source, 'token'),
    agentToken: text(source, 'agent-token'),
    server: text(source, 'server'),
    dataDir: text(source, 'data-dir') ?? '/var/lib/rancher/rke2',
    nodeName: text(source, 'node-name'),
    nodeLabels: listOf(source, 'node-label'),
    nodeTaints: listOf(source, 'node-taint'),
    kubeletArgs: listOf(source, 'kubelet-arg'),
    tlsSan: listOf(source, 'tls-san'),
    clusterCidr: text(source, 'cluster-cidr') ?? '10.42.0.0/16',
    serviceCidr: text(source, 'service-cidr') ?? '10.43.0.0/16',
    clusterDomain: text(source, 'cluster-domain') ?? 'cluster.local',
    externalCloudProvider: (provider !== undefined && provider !== 'rke2') || isOn(source, 'disable-cloud-controller'),
    disableScheduler: isOn(source, 'disable-scheduler'),
    disableKubeProxy: isOn(source, 'disable-kube-proxy'),
    datastoreEndpoint: text(source, 'datastore-endpoint'),
  };
};

/** The parts of a token; a plain password has no hash of the cluster's CA. */
export const parseToken = (token: string): { caHash: string | undefined; password: string } => {
  const [, hash, password] = /^K10([0-9a-f]{64})::[^:]+:(.+)$/.exec(token) ?? [];
  if (hash && password) return { caHash: hash, password };
  if (token.startsWith('K10')) throw new Error('invalid token format');
  return { caHash: undefined, password: token };
};
