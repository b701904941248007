import { shortHostnameOf } from '../host-names.ts';
import type { NodeRegistration } from '../kubeadm/config.ts';
import { KubeadmError } from '../kubeadm/error.ts';
import type { Instance } from '../ports.ts';
import type { NodeTaint } from './objects.ts';

/** The options of a kubelet. */
export interface KubeletOptions {
  nodeName: string;
  /** With a leading `v`. */
  version: string;
  providerId: string | undefined;
  /** `--cloud-provider=external`: once the node's addresses are set, kubelet does not change them. */
  isCloudExternal: boolean;
  /** `--node-ip`; empty if kubelet finds its address itself, which it does not with an external cloud provider. */
  nodeIps: readonly string[];
  labels: Record<string, string>;
  taints: NodeTaint[];
  instance: Instance;
}

/** The taint of a new node with `--cloud-provider=external`; a cloud controller manager would remove it. */
const UNINITIALIZED: NodeTaint = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  value: 'true',
  effect: 'NoSchedule',
};

const OWN_LABELS = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);
const OWN_NAMESPACES = /(^|\.)(kubelet|node)\.kubernetes\.io$/;

/** kubelet sets only a few labels in Kubernetes' own namespaces, so that a node cannot claim a role. */
const isForbiddenLabel = (key: string): boolean => {
  const [namespace = '', name] = key.split('/');
  if (name === undefined || OWN_LABELS.has(key) || OWN_NAMESPACES.test(namespace)) return false;
  return /(^|\.)(kubernetes|k8s)\.io$/.test(namespace);
};

const parseLabels = (text: string): Record<string, string> => {
  const labels = Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((entry) => {
        const [key = '', value = ''] = entry.split('=');
        return [key.trim(), value.trim()];
      }),
  );
  const forbidden = Object.keys(labels).filter(isForbiddenLabel);
  if (forbidden.length > 0) {
    throw new KubeadmError(
      `the kubelet is not running: unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [${forbidden.join(' ')}]`,
    );
  }
  return labels;
};

/** `key=value:effect` or `key:effect`, comma-separated. */
const parseTaints = (text: string): NodeTaint[] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [pair = '', effect = ''] = entry.split(':');
      const [key = '', value] = pair.split('=');
      return { key, ...(value ? { value } : {}), effect };
    });

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The node's name: the configured one, or else the machine's host name. Throws KubeadmError for an invalid name. */
export const nodeNameOf = ({ name }: NodeRegistration, instance: Instance): string => {
  const wanted = (name ?? shortHostnameOf(instance)).trim().toLowerCase();
  if (!SUBDOMAIN.test(wanted) || wanted.length > 253) {
    throw new KubeadmError(
      `nodeRegistration.name: Invalid value: "${wanted}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`,
    );
  }
  return wanted;
};

/** Whether the cloud provider is external. Kubernetes has no other since 1.29 (`ErrorForDisabledProvider`). */
const readCloudProvider = (name: string | undefined): boolean => {
  if (!name || name === 'external') return name === 'external';
  throw new KubeadmError(
    `the kubelet is not running: cloud provider "${name}" was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider`,
  );
};

/**
 * Reads nodeRegistration as kubelet's command line. Throws KubeadmError for labels and cloud providers with which a
 * kubelet would not start.
 */
export const kubeletOptions = (
  registration: NodeRegistration,
  { nodeName, version, instance }: { nodeName: string; version: string; instance: Instance },
): KubeletOptions => {
  // As on a command line, the last value of a name is used.
  const flags = new Map(registration.kubeletExtraArgs.map(({ name, value }) => [name, value]));
  const taints: NodeTaint[] = [
    ...(registration.taints ?? []).map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect })),
    ...parseTaints(flags.get('register-with-taints') ?? ''),
  ];
  const isCloudExternal = readCloudProvider(flags.get('cloud-provider'));
  const providerId = isCloudExternal ? instance.providerId : undefined;
  if (isCloudExternal && !providerId) taints.push(UNINITIALIZED);
  return {
    nodeName,
    version,
    providerId: flags.get('provider-id') || providerId,
    isCloudExternal,
    nodeIps: (flags.get('node-ip') ?? '').split(',').filter(Boolean),
    labels: parseLabels(flags.get('node-labels') ?? ''),
    taints,
    instance,
  };
};
