import { posix } from 'node:path';
import { BootstrapInvalidError } from '../invalid.ts';
import type { ClusterConfiguration } from '../kubeadm/spec.ts';
import type { BootFile } from '../machine-setup.ts';
import type { ClusterCertificates } from './authority.ts';
import type { PemPair } from './keys.ts';

export const DEFAULT_CERTIFICATES_DIR = '/etc/kubernetes/pki';

interface Placement {
  pair: PemPair;
  certificate: string;
  /** If absent, an existing key is not sent to the machine. */
  key?: string;
}

const files = ({ pair, certificate, key }: Placement): BootFile[] => {
  const owner = 'root:root';
  const list: BootFile[] = [{ path: certificate, owner, permissions: '0640', content: pair.certificatePem }];
  if (key !== undefined) list.push({ path: key, owner, permissions: '0600', content: pair.privateKeyPem });
  return list;
};

const externalEtcd = (certificates: ClusterCertificates, configuration: ClusterConfiguration): Placement[] => {
  const external = configuration.etcd?.external;
  if (external === undefined) return [];
  if (certificates.apiserverEtcdClient === undefined) {
    throw new BootstrapInvalidError(
      'spec.clusterConfiguration.etcd.external',
      'needs the secret <cluster>-apiserver-etcd-client with the client certificate for etcd',
    );
  }
  return [
    { pair: certificates.etcd, certificate: external.caFile },
    { pair: certificates.apiserverEtcdClient, certificate: external.certFile, key: external.keyFile },
  ];
};

/**
 * The certificate files of a control plane machine, at the paths that kubeadm expects. Workers get none: they get the
 * CA by discovery and verify it by its hash. For an external etcd, only the CA's certificate is written, never its key.
 */
export const certificateFiles = (
  certificates: ClusterCertificates,
  configuration: ClusterConfiguration,
): BootFile[] => {
  const at = (name: string): string => posix.join(configuration.certificatesDir ?? DEFAULT_CERTIFICATES_DIR, name);
  const external = externalEtcd(certificates, configuration);
  const placements: Placement[] = [
    { pair: certificates.ca, certificate: at('ca.crt'), key: at('ca.key') },
    ...(external.length > 0
      ? external
      : [{ pair: certificates.etcd, certificate: at('etcd/ca.crt'), key: at('etcd/ca.key') }]),
    { pair: certificates.proxy, certificate: at('front-proxy-ca.crt'), key: at('front-proxy-ca.key') },
    { pair: certificates.sa, certificate: at('sa.pub'), key: at('sa.key') },
  ];
  return placements.flatMap(files);
};
