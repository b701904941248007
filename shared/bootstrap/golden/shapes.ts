import { readFileSync } from 'node:fs';
import type { ClusterCertificates } from '../certificates/authority.ts';
import type { PemPair } from '../certificates/keys.ts';
import type { BootstrapInput } from '../kubeadm/input.ts';
import type { KubeadmConfigSpec } from '../kubeadm/spec.ts';

/** The input for the golden files: a cluster as in the examples, with sentences instead of secrets. */

export const ROLES = ['init', 'control-plane', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** A real certificate, because joining machines get its hash. Its key was discarded. */
const caCertificatePem = readFileSync(new URL('ca.crt', import.meta.url), 'utf8');

const pair = (what: string): PemPair => ({
  certificatePem: `(the certificate of ${what})\n`,
  privateKeyPem: `(the private key of ${what})\n`,
});

const certificates: ClusterCertificates = {
  ca: { ...pair("the cluster's CA"), certificatePem: caCertificatePem },
  etcd: pair("etcd's CA"),
  proxy: pair("the front proxy's CA"),
  sa: { ...pair('service accounts'), certificatePem: '(the public key of service accounts)\n' },
};

const node = (name: string, zone: string, id: string) => ({
  nodeRegistration: { name, kubeletExtraArgs: [{ name: 'provider-id', value: `aws:///${zone}/${id}` }] },
});

const cloudInitNode = node('{{ v1.local_hostname }}', '{{ v1.availability_zone }}', '{{ v1.instance_id }}');
const variable = (name: string): string => `\${COREOS_EC2_${name}}`;
const flatcarNode = node(variable('HOSTNAME'), variable('AVAILABILITY_ZONE'), variable('INSTANCE_ID'));

const common: KubeadmConfigSpec = {
  files: [{ path: '/etc/motd', content: 'A node of demo.\n', permissions: '0644' }],
  users: [{ name: 'admin', sudo: 'ALL=(ALL) NOPASSWD:ALL', sshAuthorizedKeys: ['ssh-ed25519 AAAA admin'] }],
  ntp: { enabled: true, servers: ['169.254.169.123'] },
  diskSetup: { filesystems: [{ device: '/dev/nvme1n1', filesystem: 'ext4', label: 'data' }] },
  mounts: [['LABEL=data', '/var/lib/data']],
  postKubeadmCommands: ['echo "a node now"'],
};

const METADATA = `systemd:
  units:
    - name: kubeadm.service
      dropins:
        - name: 10-metadata.conf
          contents: |
            [Unit]
            Requires=coreos-metadata.service
            After=coreos-metadata.service
            [Service]
            EnvironmentFile=/run/metadata/*
`;

export const SPECS: Readonly<Record<'cloud-init' | 'ignition', KubeadmConfigSpec>> = {
  'cloud-init': { ...common, initConfiguration: cloudInitNode, joinConfiguration: cloudInitNode },
  ignition: {
    ...common,
    format: 'ignition',
    initConfiguration: flatcarNode,
    joinConfiguration: flatcarNode,
    preKubeadmCommands: [
      'envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.new',
      'mv /etc/kubeadm.yml.new /etc/kubeadm.yml',
    ],
    ignition: { containerLinuxConfig: { additionalConfig: METADATA, strict: true } },
  },
};

/** The input of one golden file. */
export const inputOf = (role: Role, spec: KubeadmConfigSpec): BootstrapInput => {
  const endpoint = { host: 'demo-apiserver.elb.us-east-1.amazonaws.com', port: 6443 };
  const network = { podCidrs: ['192.168.0.0/16'], serviceCidrs: ['10.96.0.0/12'], dnsDomain: 'cluster.local' };
  const base = { cluster: { name: 'demo', endpoint, version: 'v1.34.0', ...network }, spec };
  const token = 'abcdef.0123456789abcdef';
  if (role === 'init') return { ...base, role, certificates, tokens: [{ token, description: 'machine demo-2' }] };
  if (role === 'control-plane') return { ...base, role, certificates, token };
  return { ...base, role, caCertificatePem, token };
};
