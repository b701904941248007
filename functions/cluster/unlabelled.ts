import type { Machine } from '../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../shared/kinds/infrastructure.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';

const AT_ONCE = 10;

/**
 * The infrastructure of Machines that is not among the `listed` objects of their cluster, because someone has removed
 * its label. Without it, an instance that runs would look lost. One that has the label of another cluster is not read
 * as this one's. No call is made if each Machine has its own.
 */
export const findUnlabelled = async (
  objects: Pick<ObjectClient, 'get'>,
  resource: ResourceDefinition<InfrastructureMachine>,
  machines: readonly Machine[],
  listed: readonly InfrastructureMachine[],
): Promise<InfrastructureMachine[]> => {
  const known = new Set(listed.map(({ metadata }) => metadata.name));
  const lost = machines.filter(
    ({ spec: { infrastructureRef } }) => refersTo(resource, infrastructureRef) && !known.has(infrastructureRef.name),
  );
  const found = await mapConcurrently(lost, AT_ONCE, ({ metadata: { namespace = '' }, spec }) =>
    objects.get(resource, { namespace, name: spec.infrastructureRef.name }),
  );
  return found.flatMap((object) => (object && !object.metadata.labels?.[LABEL.clusterName] ? [object] : []));
};
