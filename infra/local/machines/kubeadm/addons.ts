import { configMap, configMaps, put } from './admin.ts';
import type { ApiClient, Json } from './api-client.ts';
import type { ClusterConfiguration } from './config.ts';
import { isFields } from './fields.ts';

const DEFAULT_REPOSITORY = 'registry.k8s.io';

const workload = (
  kind: 'Deployment' | 'DaemonSet',
  name: string,
  label: string,
  template: { image: string; volume: string; items: string[] },
): Json => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'kube-system', labels: { 'k8s-app': label } },
  spec: {
    ...(kind === 'Deployment' ? { replicas: 2 } : {}),
    selector: { matchLabels: { 'k8s-app': label } },
    template: {
      metadata: { labels: { 'k8s-app': label } },
      spec: {
        containers: [{ name, image: template.image }],
        volumes: [
          { name: template.volume, configMap: { name, items: template.items.map((key) => ({ key, path: key })) } },
        ],
      },
    },
  },
});

/** CoreDNS has its own folder in kubeadm's registry, but not in others; the tag is that of Kubernetes 1.34. */
const dnsImage = ({ document, imageRepository }: ClusterConfiguration): string => {
  const dns = isFields(document.dns) ? document.dns : {};
  const folder = imageRepository === DEFAULT_REPOSITORY ? `${DEFAULT_REPOSITORY}/coredns` : imageRepository;
  return `${dns.imageRepository ?? folder}/coredns:${dns.imageTag ?? 'v1.12.1'}`;
};

/** The plugins that CoreDNS needs for a cluster. */
const corefile = (domain: string): string =>
  [
    '.:53 {',
    ...['errors', 'health', 'ready', `kubernetes ${domain} in-addr.arpa ip6.arpa`, 'forward . /etc/resolv.conf'],
    ...['cache 30', 'reload', '}', ''],
  ].join('\n');

/** The addon phase: creates the objects of CoreDNS and kube-proxy. Nothing in the simulated cluster runs their pods. */
export const putAddons = async (api: ApiClient, cluster: ClusterConfiguration): Promise<void> => {
  const apps = '/apis/apps/v1/namespaces/kube-system';
  const putMap = (name: string, data: Record<string, string>) =>
    put(api, configMaps('kube-system'), configMap('kube-system', name, data));
  const proxy = {
    image: `${cluster.imageRepository}/kube-proxy:${cluster.kubernetesVersion}`,
    ...{ volume: 'kube-proxy', items: ['config.conf'] },
  };
  await putMap('kube-proxy', { 'config.conf': `clusterCIDR: "${cluster.podSubnet ?? ''}"\n` });
  await put(api, `${apps}/daemonsets`, workload('DaemonSet', 'kube-proxy', 'kube-proxy', proxy));
  const dns = { image: dnsImage(cluster), volume: 'config-volume', items: ['Corefile'] };
  await putMap('coredns', { Corefile: corefile(cluster.dnsDomain) });
  await put(api, `${apps}/deployments`, workload('Deployment', 'coredns', 'kube-dns', dns));
};
