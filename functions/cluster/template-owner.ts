import type { ControlPlane } from '../../shared/kinds/contract-objects.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import type { Reference } from '../../shared/kinds/reference.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { withFurtherOwner } from '../../shared/plan/machines/ownership.ts';
import { writeChange } from './write-change.ts';

/** The name of a template in the namespace of the cluster, and its kind. */
export interface TemplateKey {
  resource: ResourceDefinition;
  name: string;
}

/** The machine template to which a control plane refers; undefined for one of another program, which need not have any. */
export const machineTemplateOf = (controlPlane: ControlPlane | null): Reference | undefined => {
  // The view of another program's object has only the fields of the contract (shared/outside/view.ts).
  const { machineTemplate }: Partial<ControlPlane['spec']> = controlPlane?.spec ?? {};
  return machineTemplate?.spec.infrastructureRef;
};

/** A change that makes a Cluster an owner of a template again; none if nothing is missing, or there is no room. */
export const withTemplateOwner =
  (cluster: Cluster) =>
  <T extends KubeObject>(template: T): T | undefined => {
    if (template.metadata.deletionTimestamp) return undefined;
    const next = withFurtherOwner(template, cluster);
    return next === template ? undefined : next;
  };

/** Reads a template, and makes the Cluster an owner of it if it is none. */
export const restoreTemplateOwner = async (
  objects: Pick<ObjectClient, 'get' | 'mutate'>,
  cluster: Cluster,
  { resource, name }: TemplateKey,
): Promise<void> => {
  const template = await objects.get(resource, { namespace: cluster.metadata.namespace ?? '', name });
  if (template) await writeChange(objects, resource, template, withTemplateOwner(cluster));
};
