/** For tests: configurations of Clusters of Rancher's group. */
import { stringify } from 'yaml';
import type { RancherCluster } from '../../kinds/index.ts';
import { isProblems, type RancherConfig, readRancherConfig } from './config.ts';

export const ALL_ROLES = ['controlplane', 'etcd', 'worker'];

/** The node at 10.0.0.N. */
export const aNode = (number: number, role: readonly string[] = ALL_ROLES) => ({
  address: `10.0.0.${number}`,
  user: 'admin',
  role,
  ssh_key_path: 'default/key',
});

export const configOf = (yml: object): RancherConfig => {
  const read = readRancherConfig(stringify(yml), 'demo');
  if (isProblems(read)) throw new Error(JSON.stringify(read));
  return read;
};

export const rancherCluster = (yml: object): RancherCluster => ({
  apiVersion: 'clusterprovisioner.rke.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'demo', uid: 'u-demo', generation: 1 },
  spec: { config: stringify(yml) },
});
