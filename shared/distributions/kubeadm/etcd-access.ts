import { posix } from 'node:path';
import { DEFAULT_CERTIFICATES_DIR } from '../../bootstrap/certificates/files.ts';
import type { EtcdAccess } from '../distribution.ts';

/**
 * kubeadm's static pod `etcd-<node>`: it mounts its certificates at their paths on the machine, and its server
 * certificate is also valid for clients (kubeadm's KubeadmCertEtcdServer has both usages).
 */
export const etcdAccess = (certificatesDir: string = DEFAULT_CERTIFICATES_DIR): EtcdAccess => {
  const at = (name: string) => posix.join(certificatesDir, 'etcd', name);
  return {
    pod: (nodeName) => `etcd-${nodeName}`,
    nodeOf: (memberName) => memberName,
    container: 'etcd',
    etcdctl: () => [
      'etcdctl',
      '--endpoints=https://127.0.0.1:2379',
      `--cacert=${at('ca.crt')}`,
      `--cert=${at('server.crt')}`,
      `--key=${at('server.key')}`,
    ],
  };
};
