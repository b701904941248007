import { testCertificates } from '../../../shared/bootstrap/certificates/fixtures.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';

export const ROLES = ['init', 'control-plane', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const made = await testCertificates();

// Users with an external etcd provide a certificate for it.
export const certificates = { ...made, apiserverEtcdClient: made.etcd };

const token = 'abcdef.0123456789abcdef';

/** The input for a machine's bootstrap data. `version` has no `v`: `1.34.0`. */
export const inputOf = (role: Role, version: string, spec: KubeadmConfigSpec): BootstrapInput => {
  const endpoint = { host: 'lb.example.com', port: 6443 };
  const subnets = { podCidrs: ['192.168.0.0/16'], serviceCidrs: ['10.96.0.0/12'], dnsDomain: 'cluster.local' };
  const base = { cluster: { name: 'demo', endpoint, version: `v${version}`, ...subnets }, spec };
  if (role === 'init') return { ...base, role, certificates, tokens: [{ token, description: 'of a machine' }] };
  if (role === 'control-plane') return { ...base, role, certificates, token };
  return { ...base, role, caCertificatePem: certificates.ca.certificatePem, token };
};
