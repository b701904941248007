import type { Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';

const AT_ONCE = 10;

/** The objects of one kind of a cluster, and how its Machines name theirs. */
interface Listed<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  objects: readonly T[];
  nameOf: (machine: Machine) => string | undefined;
}

/**
 * The parts of Machines that are not among the listed objects of their cluster, because someone has removed its label.
 * Without it, an instance that runs would look lost. One that has the label of another cluster is not read as this
 * one's. No call is made if each Machine has its part.
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
