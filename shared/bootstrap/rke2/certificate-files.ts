import { posix } from 'node:path';
import type { PemPair } from '../certificates/keys.ts';
import type { BootFile } from '../machine-setup.ts';
import { ownFile } from './agent-config.ts';
import type { Rke2Certificates } from './input.ts';

/** The authorities where RKE2 looks for those that it is to use in place of its own. */
export const rke2CertificateFiles = (certificates: Rke2Certificates, dataDir: string): BootFile[] => {
  const at = (name: string) => posix.join(dataDir, 'server/tls', name);
  const placed: [PemPair, string][] = [
    [certificates.serverCa, 'server-ca'],
    [certificates.clientCa, 'client-ca'],
    [certificates.etcdPeerCa, 'etcd/peer-ca'],
    [certificates.etcdServerCa, 'etcd/server-ca'],
  ];
  return placed.flatMap(([{ certificatePem, privateKeyPem }, name]) => [
    ownFile(at(`${name}.crt`), certificatePem),
    ownFile(at(`${name}.key`), privateKeyPem, '0600'),
  ]);
};
