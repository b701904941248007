import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ContractKinds } from '../../../shared/outside/kinds.ts';
import { ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { type TemplateRef, templatesOf } from '../../../shared/plan/topology/blueprint.ts';
import { kindsWith, storedKind } from '../../../shared/plan/topology/kinds.ts';

const isRemovalOfClass = ({ type, resource, object }: WriteEvent): boolean =>
  resource.kind === kinds.clusterClass.kind &&
  resource.group === kinds.clusterClass.group &&
  (type === 'deleted' || object.metadata.deletionTimestamp !== undefined);

const groupOf = ({ apiVersion }: TemplateRef): string | undefined => apiVersion.split('/')[0];

const isSame = (a: TemplateRef, b: TemplateRef): boolean =>
  a.kind === b.kind && a.name === b.name && groupOf(a) === groupOf(b);

const isOwned = ({ metadata }: KubeObject, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/** Objects, and the definitions of external providers' kinds. */
type Objects = Pick<ObjectClient, 'list' | 'mutate'> & { contractKinds: ContractKinds };

/**
 * Before a ClusterClass is deleted, the other classes in its namespace become owners of the templates that they share
 * with it; otherwise these would be deleted as garbage. Upstream makes each class an owner of its templates immediately
 * (core/reconcilers/clusterclass); here, a class becomes an owner when a cluster uses it.
 */
export const makeKeepTemplates =
  (access: () => Objects) =>
  async (event: WriteEvent): Promise<void> => {
    if (!isRemovalOfClass(event)) return;
    const objects = access();
    const removed = event.object as ClusterClass;
    const { namespace = '', uid } = removed.metadata;
    const classes = await objects.list(kinds.clusterClass, namespace);
    const others = classes.filter(({ metadata }) => metadata.uid !== uid && !metadata.deletionTimestamp);
    if (others.length === 0) return;
    const kindOf = kindsWith(await objects.contractKinds());
    for (const ref of templatesOf(removed)) {
      const resource = kindOf(ref);
      const heirs = others.filter((one) => templatesOf(one).some((its) => isSame(its, ref)));
      if (!resource || heirs.length === 0) continue;
      await objects.mutate(storedKind(resource), { namespace, name: ref.name }, (template) => {
        if (!isOwned(template, removed)) return undefined;
        const owners = heirs.map(ownerReference).reduce(withOwner, template.metadata.ownerReferences ?? []);
        return { ...template, metadata: { ...template.metadata, ownerReferences: owners } };
      });
    }
  };
