import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ContractKinds } from '../../../shared/outside/kinds.ts';
import { withFurtherOwner } from '../../../shared/plan/machines/ownership.ts';
import { type TemplateRef, templatesOf } from '../../../shared/plan/topology/blueprint.ts';
import { kindsWith, storedKind } from '../../../shared/plan/topology/kinds.ts';

const isRemovalOfClass = ({ type, resource, object }: WriteEvent): boolean =>
  resource.kind === kinds.clusterClass.kind &&
  resource.group === kinds.clusterClass.group &&
  (type === 'deleted' || object.metadata.deletionTimestamp !== undefined);

const groupOf = ({ apiVersion }: TemplateRef): string | undefined => apiVersion.split('/')[0];

const keyOf = (ref: TemplateRef): string => `${groupOf(ref)}/${ref.kind}/${ref.name}`;

/** Classes by the templates to which they refer. A class may have thousands of references, so each is read once. */
const byTemplate = (classes: readonly ClusterClass[]): ReadonlyMap<string, ClusterClass[]> => {
  const found = new Map<string, ClusterClass[]>();
  for (const one of classes)
    for (const key of new Set(templatesOf(one).map(keyOf))) {
      const known = found.get(key);
      if (known) known.push(one);
      else found.set(key, [one]);
    }
  return found;
};

const isOwned = ({ metadata }: KubeObject, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;

/** Objects, and the definitions of external providers' kinds. */
type Objects = Pick<ObjectClient, 'list' | 'mutate'> & { contractKinds: ContractKinds };

/**
 * Before a ClusterClass is deleted, the other classes in its namespace become owners of the templates that they share
 * with it, as far as there is room; otherwise these would be deleted as garbage. Upstream makes each class an owner of
 * its templates immediately (core/reconcilers/clusterclass); here, a class becomes an owner when a cluster uses it.
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
    const heirsOf = byTemplate(others);
    const refs = new Map(templatesOf(removed).map((ref) => [keyOf(ref), ref]));
    for (const [key, ref] of refs) {
      const resource = kindOf(ref);
      const heirs = heirsOf.get(key) ?? [];
      if (!resource || heirs.length === 0) continue;
      await objects.mutate(storedKind(resource), { namespace, name: ref.name }, (template) => {
        if (!isOwned(template, removed)) return undefined;
        return heirs.reduce((owned, heir) => withFurtherOwner(owned, heir), template);
      });
    }
  };
