import { posix } from 'node:path';
import { DEFAULT_DATA_DIR } from '../../bootstrap/rke2/paths.ts';
import type { Rke2ConfigSpec } from '../../kinds/index.ts';
import type { EtcdAccess } from '../distribution.ts';

/**
 * RKE2's static pod `etcd-<node>`. Its image contains etcdctl, and it mounts its certificates at their paths on the
 * machine. These paths are below the data folder, which can differ between the machines of a control plane during a
 * rollout; `dataDir` applies to a machine without a configuration. The name of a member is the name of its node plus
 * eight digits of a UUID, so a node that comes back under the same name is another member (k3s, pkg/etcd).
 */
export const etcdAccess = (dataDir?: string): EtcdAccess => ({
  pod: (nodeName) => `etcd-${nodeName}`,
  nodeOf: (memberName) => memberName.replace(/-[0-9a-f]{8}$/, ''),
  container: 'etcd',
  needsConfig: true,
  etcdctl: (config) => {
    const folder = config ? (config.spec as Rke2ConfigSpec | undefined)?.agentConfig?.dataDir : dataDir;
    const at = (name: string) => posix.join(folder || DEFAULT_DATA_DIR, 'server/tls/etcd', name);
    return [
      'etcdctl',
      '--endpoints=https://127.0.0.1:2379',
      `--cacert=${at('server-ca.crt')}`,
      `--cert=${at('server-client.crt')}`,
      `--key=${at('server-client.key')}`,
    ];
  },
});
