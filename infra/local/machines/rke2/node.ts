import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
import { kubeletOptions, nodeNameOf } from '../workload-cluster/kubelet-options.ts';
import type { Rke2Config } from './config.ts';

const CRI_SOCKET = 'unix:///run/k3s/containerd/containerd.sock';

/** `--flag=value` from a kubelet-arg; RKE2 accepts it with and without the dashes. */
const toFlag = (argument: string): { name: string; value: string } => {
  const [name = '', ...rest] = argument.replace(/^--?/, '').split('=');
  return { name, value: rest.join('=') };
};

/** The options with which RKE2 starts its kubelet. */
const registrationOf = (config: Rke2Config, { nodeName, nodeIp }: { nodeName: string; nodeIp: string }) => {
  const own = [
    { name: 'node-ip', value: nodeIp },
    { name: 'node-labels', value: config.nodeLabels.join(',') },
    { name: 'register-with-taints', value: config.nodeTaints.join(',') },
    // RKE2's own cloud controller manager immediately removes the taint and sets the provider id of the node.
    config.externalCloudProvider
      ? { name: 'cloud-provider', value: 'external' }
      : { name: 'provider-id', value: `rke2://${nodeName}` },
  ];
  return {
    name: config.nodeName,
    taints: undefined,
    kubeletExtraArgs: [...own, ...config.kubeletArgs.map(toFlag)].filter(({ value }) => value !== ''),
    criSocket: CRI_SOCKET,
  };
};

/** The node's name: the configured one, or else the machine's host name. */
export const rke2NodeName = (config: Rke2Config, { instance }: MachineContext): string =>
  nodeNameOf(registrationOf(config, { nodeName: '', nodeIp: instance.privateIp }), instance);

/** The pods that RKE2 runs as static pods. */
const staticPodsOf = (config: Rke2Config, version: string, isServer: boolean): { name: string; image: string }[] => {
  const kubernetes = `index.docker.io/rancher/hardened-kubernetes:${version.replace('+', '-')}`;
  const server = ['kube-apiserver', 'kube-controller-manager', ...(config.disableScheduler ? [] : ['kube-scheduler'])];
  return [
    ...(isServer && !config.datastoreEndpoint
      ? [{ name: 'etcd', image: 'index.docker.io/rancher/hardened-etcd:v3.6.5-k3s1' }]
      : []),
    ...(isServer ? server.map((name) => ({ name, image: kubernetes })) : []),
    ...(isServer && !config.externalCloudProvider
      ? [{ name: 'cloud-controller-manager', image: 'index.docker.io/rancher/rke2-cloud-provider:v1.34.1' }]
      : []),
    ...(config.disableKubeProxy ? [] : [{ name: 'kube-proxy', image: kubernetes }]),
  ];
};

export interface KubeletStart {
  config: Rke2Config;
  nodeName: string;
  version: string;
  isServer: boolean;
  /** `host:port`. */
  endpoint: string;
  /** PEM. */
  ca: string;
  certificate: PemPair;
}

/** Starts the kubelet. Throws if the kubelet would reject its flags. */
export const startKubelet = (machine: MachineContext, start: KubeletStart): Promise<void> => {
  const { config, nodeName, version, isServer, endpoint, ca, certificate } = start;
  const { instance } = machine;
  const options = kubeletOptions(registrationOf(config, { nodeName, nodeIp: instance.privateIp }), {
    nodeName,
    version,
    instance,
  });
  const staticPods = staticPodsOf(config, version, isServer);
  return machine.start({ kind: 'kubelet', data: { options, endpoint, ca, certificate, staticPods } });
};
