import { createHash } from 'node:crypto';
import { namespaceOfRancher, type SecretName } from '../../kinds/rancher-cluster/names.ts';
import type { RancherCluster } from '../../kinds/rancher-cluster/schema.ts';
import { rancherKind } from '../../kinds/schema/rancher-kind.ts';

/** On a Cluster, until everything that was created for it is gone. */
export const RANCHER_FINALIZER = `cluster.${rancherKind.group}`;

/** On Hosts: which machines may claim them. */
export const ROLE_LABEL = `${rancherKind.group}/role`;

/** `waiting`: for the first node of the control plane, which the others join. */
export type HostRole = 'controlplane' | 'worker' | 'waiting';

/** On a Cluster: the release that its control plane runs. */
export const VERSION_ANNOTATION = `${rancherKind.group}/kubernetes-version`;

/** The release of RKE2 for a new cluster that does not specify one. */
export const DEFAULT_VERSION = 'v1.34.2+rke2r1';

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10);

/** An address as the name of an object: colons are not allowed, and a name begins with a letter or a digit. */
export const hostNameOf = (address: string): string =>
  address.includes(':') ? `ip-${address.replaceAll(':', '-').replace(/-+$/, '')}` : address;

/** The copy of a Secret in the namespace of the cluster. */
export const copyNameOf = ({ namespace, name }: SecretName): string => `ssh-${hashOf([namespace, name])}`;

/** Templates are immutable, so different content has a different name. */
export const templateNameOf = (cluster: string, content: unknown): string => `${cluster}-worker-${hashOf(content)}`;

/** The names of a cluster's objects, all in one namespace. */
export const partsOf = ({ metadata: { name } }: RancherCluster) => ({
  namespace: namespaceOfRancher(name),
  name,
  controlPlane: `${name}-control-plane`,
  workers: `${name}-worker`,
});
