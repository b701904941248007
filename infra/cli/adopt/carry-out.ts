import type { KubeObject, OwnerReference } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError } from '../api/client.ts';
import { makeFindResource } from '../api/resources.ts';
import type { Owned } from './machines.ts';
import type { AdoptionPlan } from './plan.ts';

const keyOf = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): string => `${kind}/${metadata.name}`;

const notFound = (error: unknown): boolean => error instanceof ApiError && error.status.code === 404;

/** Creates an object, or uses the existing one unchanged: an interrupted adoption continues where it stopped. */
const makeEnsure = (api: Api) => {
  const find = makeFindResource(api);
  return async (object: KubeObject): Promise<{ object: KubeObject; created: boolean }> => {
    const resource = await find(object);
    if (!resource) throw new Error(`the API does not serve ${object.kind} of ${object.apiVersion}`);
    const place = resource.namespaced ? `/namespaces/${object.metadata.namespace}` : '';
    const path = `${resource.base}${place}/${resource.plural}`;
    try {
      return { object: await api.send<KubeObject>('GET', `${path}/${object.metadata.name}`), created: false };
    } catch (error) {
      if (!notFound(error)) throw error;
    }
    return { object: await api.send<KubeObject>('POST', path, object), created: true };
  };
};

const referenceTo = (owner: KubeObject, controls: boolean): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
  ...(controls ? { controller: true, blockOwnerDeletion: true } : {}),
});

const owned = ({ object, owner }: Owned, made: ReadonlyMap<string, KubeObject>): KubeObject => {
  const found = made.get(`${owner.kind}/${owner.name}`);
  if (!found) throw new Error(`${keyOf(object)} belongs to ${owner.kind}/${owner.name}, which is not there`);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [referenceTo(found, owner.controls)] } };
};

const MERGE = 'application/merge-patch+json';

/**
 * Writes the objects, beginning with the Cluster, which is paused so that no controller acts on an incomplete set. When
 * all objects exist, it is unpaused. An existing Cluster that is not paused is left alone, because it is not lost.
 * Returns the new objects.
 */
export const carryOut = async (api: Api, plan: AdoptionPlan): Promise<string[]> => {
  const ensure = makeEnsure(api);
  const paused = { ...plan.cluster, spec: { ...(plan.cluster as { spec?: object }).spec, paused: true } } as KubeObject;
  const cluster = await ensure(paused);
  const { spec } = cluster.object as { spec?: { paused?: boolean } };
  if (!cluster.created && !spec?.paused) throw new Error(`${keyOf(plan.cluster)} is there, and is not paused`);
  const made = new Map([[keyOf(cluster.object), cluster.object]]);
  const fresh: string[] = cluster.created ? [keyOf(cluster.object)] : [];
  for (const one of plan.objects) {
    const { object, created } = await ensure(owned(one, made));
    made.set(keyOf(object), object);
    if (created) fresh.push(keyOf(object));
  }
  const { namespace, name } = plan.cluster.metadata;
  const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/clusters/${name}`;
  await api.send('PATCH', path, { spec: { paused: null } }, MERGE);
  return fresh;
};
