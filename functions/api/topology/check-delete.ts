import { faultOfDeletion } from '../../../shared/kinds/cluster-class/validate-use.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { RegistryOptions } from '../../../shared/kube-api/registry/registry.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import { type Reads, usersOf, withTopology } from './classes.ts';

/** Refuses to delete a ClusterClass that Clusters in any namespace use. Other kinds cost no read. */
export const makeCheckDelete =
  (reads: Reads): NonNullable<RegistryOptions['checkDelete']> =>
  async ({ group, kind }, object) => {
    if (kind !== kinds.clusterClass.kind || group !== kinds.clusterClass.group) return;
    const fault = faultOfDeletion(withTopology(await usersOf(reads, [object])));
    if (fault === undefined) return;
    const { name } = object.metadata;
    const message = `ClusterClass.cluster.x-k8s.io "${name}" is forbidden: ${fault}`;
    throw new StatusError(403, 'Forbidden', message, { name, group, kind });
  };
