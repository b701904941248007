import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import type { Reference } from '../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { TOPOLOGY_LABEL } from '../../../shared/plan/topology/objects.ts';
import { isOnlyOf } from '../../../shared/plan/topology/operations/leftovers.ts';
import { infrastructureOf } from '../../../shared/providers/registry.ts';

const isOwned = ({ metadata }: KubeObject): boolean => TOPOLOGY_LABEL.owned in (metadata.labels ?? {});

const refsOf = ({ spec }: MachineSet | MachineDeployment): Reference[] => {
  const { infrastructureRef, bootstrap } = spec.template.spec;
  return [infrastructureRef, ...(bootstrap.configRef ? [bootstrap.configRef] : [])];
};

const resourceOf = (ref: Reference): ResourceDefinition | undefined =>
  infrastructureOf('machineTemplate', ref)?.machineTemplate ?? distributionOf('configTemplate', ref)?.configTemplate;

/**
 * Deletes the templates of a deleted set if a topology created them, none of `others` uses them, and no other Cluster
 * owns them. Upstream (core/reconcilers/topology/machineset) does not check the owners. A later pass over the topology
 * deletes any templates that remain.
 */
export const deleteTemplatesOf = async (
  { objects }: { objects: ObjectClient },
  set: MachineSet,
  others: readonly (MachineSet | MachineDeployment)[],
): Promise<void> => {
  if (!isOwned(set)) return;
  const used = new Set(others.flatMap(refsOf).map(({ kind, name }) => `${kind}/${name}`));
  const unused = refsOf(set).filter(({ kind, name }) => !used.has(`${kind}/${name}`));
  await Promise.all(
    unused.map(async (ref) => {
      const key = { namespace: set.metadata.namespace ?? '', name: ref.name ?? '' };
      const resource = resourceOf(ref);
      const template = resource && (await objects.get(resource, key));
      if (!template || !isOwned(template)) return;
      if (isOnlyOf(set.spec.clusterName, template.metadata.ownerReferences)) await objects.delete(resource, template);
    }),
  );
};
