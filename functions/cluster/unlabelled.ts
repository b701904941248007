import type { Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';

const AT_ONCE = 10;

/** Objects of one kind in a cluster, and how its Machines refer to theirs. */
interface Listed<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  objects: readonly T[];
  nameOf: (machine: Machine) => string | undefined;
}

/**
 * The objects of Machines that are missing in the list of their cluster because a user has removed its label. Without
 * them, a running instance would look lost. An object with the label of another cluster is not returned. Makes no call
 * if each Machine has its object.
 */
export const findUnlabelled = async <T extends KubeObject>(
  client: Pick<ObjectClient, 'get'>,
  machines: readonly Machine[],
  { resource, objects, nameOf }: Listed<T>,
): Promise<T[]> => {
  const known = new Set(objects.map(({ metadata }) => metadata.name));
  const lost = machines.flatMap((machine) => {
    const name = nameOf(machine);
    return name === undefined || known.has(name) ? [] : [{ namespace: machine.metadata.namespace ?? '', name }];
  });
  const found = await mapConcurrently(lost, AT_ONCE, (key) => client.get(resource, key));
  return found.flatMap((object) => (object && !object.metadata.labels?.[LABEL.clusterName] ? [object] : []));
};
