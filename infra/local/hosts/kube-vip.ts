import { isIPv4 } from 'node:net';
import { messageOf } from '../machines/kubeadm/error.ts';
import { isFields, section, sections, text } from '../machines/kubeadm/fields.ts';
import type { FileSystem } from '../machines/user-data/file-system.ts';
import { readYaml } from '../machines/user-data/yaml.ts';

/** The folders in which the kubelets of kubeadm and of RKE2 look for static pods. */
const STATIC_PODS = ['/etc/kubernetes/manifests/', '/var/lib/rancher/rke2/agent/pod-manifests/'];

const environmentOf = (container: Parameters<typeof text>[0]): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(sections(container, 'env').map((entry) => [text(entry, 'name'), text(entry, 'value')]));

/** The address for the control plane that a pod announces; `vip_address` is its name before kube-vip 0.4. */
const addressesOf = (pod: unknown): string[] => {
  if (!isFields(pod) || pod.kind !== 'Pod') return [];
  return sections(section(pod, 'spec'), 'containers')
    .filter((container) => /(^|\/)kube-vip(:|@|$)/.test(text(container, 'image') ?? ''))
    .map(environmentOf)
    .filter((environment) => environment.get('cp_enable') === 'true')
    .flatMap((environment) => environment.get('address') ?? environment.get('vip_address') ?? []);
};

/**
 * The virtual addresses that kube-vip in a machine's static pods announces while the control plane runs. An invalid
 * manifest starts no pod, and is reported to `onFault`.
 */
export const virtualAddresses = (files: FileSystem, onFault: (path: string, reason: string) => void): string[] =>
  STATIC_PODS.flatMap((folder) => files.list(folder))
    .flatMap((path) => {
      try {
        return readYaml(files.read(path) ?? '').flatMap(addressesOf);
      } catch (error) {
        onFault(path, messageOf(error));
        return [];
      }
    })
    .filter((address) => isIPv4(address));
