import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PemPair } from '../../../shared/bootstrap/certificates/keys.ts';

/** The folder in which kubeadm stores the keys and certificates of a machine. */
export const PKI = '/etc/kubernetes/pki';

const configuration = (name: string, directory: string): string => `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: 10.0.0.1 }
nodeRegistration: { name: ${name} }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
certificatesDir: ${join(directory, PKI)}
`;

/** Makes kubeadm issue the certificates of an etcd member below `directory`, with the generated authority. */
export const issueMemberFiles = (kubeadm: string, version: string, directory: string, ca: PemPair, name: string) => {
  const etcd = join(directory, PKI, 'etcd');
  mkdirSync(etcd, { recursive: true });
  writeFileSync(join(etcd, 'ca.crt'), ca.certificatePem);
  writeFileSync(join(etcd, 'ca.key'), ca.privateKeyPem, { mode: 0o600 });
  const config = join(directory, 'kubeadm.yaml');
  writeFileSync(config, `${configuration(name, directory)}kubernetesVersion: v${version}\n`);
  for (const phase of ['etcd-server', 'etcd-peer']) {
    const { status, stderr } = spawnSync(kubeadm, ['init', 'phase', 'certs', phase, '--config', config], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`kubeadm init phase certs ${phase} ended with ${status}:\n${stderr}`);
  }
};

/** The flags of kubeadm's static pod, with loopback addresses. */
export const memberFlags = (
  directory: string,
  { name, client, peer }: { name: string; client: number; peer: number },
  { cluster, state }: { cluster: string; state: 'new' | 'existing' },
): string[] => {
  const at = (file: string) => join(directory, PKI, 'etcd', file);
  return [
    `--name=${name}`,
    `--data-dir=${join(directory, 'data')}`,
    `--listen-client-urls=https://127.0.0.1:${client}`,
    `--advertise-client-urls=https://127.0.0.1:${client}`,
    `--listen-peer-urls=https://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=https://127.0.0.1:${peer}`,
    `--initial-cluster=${cluster}`,
    `--initial-cluster-state=${state}`,
    `--cert-file=${at('server.crt')}`,
    `--key-file=${at('server.key')}`,
    `--trusted-ca-file=${at('ca.crt')}`,
    '--client-cert-auth=true',
    `--peer-cert-file=${at('peer.crt')}`,
    `--peer-key-file=${at('peer.key')}`,
    `--peer-trusted-ca-file=${at('ca.crt')}`,
    '--peer-client-cert-auth=true',
    // The data need not outlive the process.
    '--unsafe-no-fsync',
    '--quota-backend-bytes=1048576',
  ];
};
