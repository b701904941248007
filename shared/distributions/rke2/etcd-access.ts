import type { EtcdAccess } from '../distribution.ts';

const TLS = '/var/lib/rancher/rke2/server/tls/etcd';

/**
 * RKE2's static pod `etcd-<node>`, whose image has etcdctl. Members bear their node's name and eight digits of a UUID,
 * so that a node that comes back under its name is another member (k3s, pkg/etcd).
 */
export const ETCD_ACCESS: EtcdAccess = {
  pod: (nodeName) => `etcd-${nodeName}`,
  nodeOf: (memberName) => memberName.replace(/-[0-9a-f]{8}$/, ''),
  container: 'etcd',
  etcdctl: [
    'etcdctl',
    '--endpoints=https://127.0.0.1:2379',
    `--cacert=${TLS}/server-ca.crt`,
    `--cert=${TLS}/server-client.crt`,
    `--key=${TLS}/server-client.key`,
  ],
};
