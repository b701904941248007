import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubeadmControlPlane } from '../../../shared/kinds/index.ts';
import { makeFileSystem } from '../machines/user-data/file-system.ts';
import { virtualAddresses } from './kube-vip.ts';

/** The manifest of the example. */
const manifest = (): string => {
  const objects = parseAllDocuments(readFileSync('examples/hosts.yaml', 'utf8')).map((document) => document.toJS());
  const owner = objects.find(({ kind }) => kind === 'KubeadmControlPlane') as KubeadmControlPlane;
  return owner.spec.kubeadmConfigSpec?.files?.[0]?.content ?? '';
};

const addressesWith = (path: string, content: string) => {
  const files = makeFileSystem();
  files.write(path, content);
  const faults: string[] = [];
  return { addresses: virtualAddresses(files, (where) => faults.push(where)), faults };
};

const KUBEADM = '/etc/kubernetes/manifests/kube-vip.yaml';

it.each([KUBEADM, '/var/lib/rancher/rke2/agent/pod-manifests/kube-vip.yaml'])('reads a static pod from %s', (path) => {
  expect(addressesWith(path, manifest())).toEqual({ addresses: ['127.0.66.100'], faults: [] });
});

it.each([
  ['in a folder that no kubelet reads', '/root/kube-vip.yaml', (text: string) => text],
  ['of another program', KUBEADM, (text: string) => text.replace('kube-vip/kube-vip', 'haproxy/haproxy')],
  [
    'that is not for the control plane',
    KUBEADM,
    (text: string) => text.replace('cp_enable, value: "true"', 'cp_enable'),
  ],
  ['with a name instead of an address', KUBEADM, (text: string) => text.replace('127.0.66.100', 'k8s.example.com')],
])('announces nothing for a manifest %s', (_why, path, change) => {
  const changed = change(manifest());
  expect(addressesWith(path, changed)).toEqual({ addresses: [], faults: [] });
});

it('reports which manifest cannot be read', () => {
  expect(addressesWith(KUBEADM, 'a: [')).toEqual({ addresses: [], faults: [KUBEADM] });
});
