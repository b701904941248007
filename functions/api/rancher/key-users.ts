import { kinds, type RancherCluster, type Secret } from '../../../shared/kinds/index.ts';
import { secretsNamedIn } from '../../../shared/kinds/rancher-cluster/config-text.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { Item } from '../affected/clusters.ts';

/** Reads all objects of a kind, in all namespaces. */
type ReadEverywhere = <T extends KubeObject>(resource: ResourceDefinition<T>) => Promise<T[]>;

const SSH_SECRET = 'kubernetes.io/ssh-auth';

/** The Clusters of Rancher's group that name the written Secret. Other writes cost no reads. */
export const keyUsers = async ({ resource, object }: Item, read: ReadEverywhere): Promise<RancherCluster[]> => {
  if (resource.group !== '' || resource.kind !== 'Secret' || (object as Secret).type !== SSH_SECRET) return [];
  const { namespace, name } = object.metadata;
  const all = await read<RancherCluster>(kinds.rancherCluster);
  return all.filter(({ spec }) =>
    secretsNamedIn(spec.config).some((one) => one.namespace === namespace && one.name === name),
  );
};
