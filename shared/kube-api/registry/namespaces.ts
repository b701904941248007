import type { KubeObject, ObjectMeta, ResourceId } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { badRequest, conflict, forbidden, notFound, qualified, type StatusError } from '../status-error.ts';
import type { Registry, RegistryOptions } from './registry.ts';

/** Namespaces that exist from the start and cannot be deleted. */
const FIRST_NAMESPACES: readonly string[] = ['default', 'kube-system'];

export const isNamespaces = ({ group, plural }: ResourceDefinition): boolean => group === '' && plural === 'namespaces';

/** Creates missing default namespaces. Resources without a namespaces kind need none. */
export const ensureNamespaces = async (registry: Registry): Promise<void> => {
  const resource = registry.resources.find(isNamespaces);
  if (!resource) return;
  for (const name of FIRST_NAMESPACES) {
    if (await registry.find(resource, { namespace: '', name })) continue;
    try {
      await registry.create(resource, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      // Another process was faster. The namespace exists, which suffices.
      if (!(error instanceof Error && 'reason' in error && error.reason === 'AlreadyExists')) throw error;
    }
  }
};

const NAMESPACES: ResourceId = { group: '', plural: 'namespaces' };

/** The refusal of a new object whose namespace, as it was read, cannot get one. */
const refusalIn = (
  resource: ResourceDefinition,
  { metadata: { name, namespace = '' } }: KubeObject,
  found: KubeObject | undefined,
): StatusError | undefined => {
  if (!found) return notFound(NAMESPACES, namespace);
  if (!found.metadata.deletionTimestamp) return undefined;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  return forbidden(resource, name, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
};

/**
 * Throws a StatusError unless the namespace of a new object exists and is not being deleted. Returns the namespace,
 * unless it can never be deleted.
 */
export const requireNamespace = async (
  { resources, storage }: RegistryOptions,
  resource: ResourceDefinition,
  object: KubeObject,
): Promise<KubeObject | undefined> => {
  if (!resource.namespaced) return undefined;
  const { namespace } = object.metadata;
  if (!namespace) throw badRequest('an empty namespace may not be set when a resource name may not be empty');
  if (!resources.some(isNamespaces) || FIRST_NAMESPACES.includes(namespace)) return undefined;
  const found = await storage.get(NAMESPACES, '', namespace);
  const refusal = refusalIn(resource, object, found);
  if (refusal) throw refusal;
  return found;
};

/**
 * The refusal of an object if its namespace, which `requireNamespace` has returned, is being deleted or gone by now. One
 * of the same name is another namespace: the object was not admitted to it.
 */
export const refusalSince = async (
  { storage }: RegistryOptions,
  resource: ResourceDefinition,
  object: KubeObject,
  checked: KubeObject | undefined,
): Promise<StatusError | undefined> => {
  if (!checked) return undefined;
  const found = await storage.get(NAMESPACES, '', checked.metadata.name);
  return refusalIn(resource, object, found?.metadata.uid === checked.metadata.uid ? found : undefined);
};

/** Whether anything except the server still holds a namespace that is being deleted, after it was emptied. */
export const isKept = (namespace: KubeObject): boolean => {
  const { metadata, spec } = namespace as KubeObject & { spec?: { finalizers?: string[] } };
  return [...(metadata.finalizers ?? []), ...(spec?.finalizers ?? [])].some((name) => name !== 'kubernetes');
};

/** A namespace that is being deleted. It reports this itself, and no request waits for it. */
export const terminating = <T extends KubeObject>(namespace: T, metadata: ObjectMeta): T => {
  const { status } = namespace as T & { status?: object };
  const { deletionGracePeriodSeconds: _, ...marked } = metadata;
  return { ...namespace, metadata: marked, status: { ...status, phase: 'Terminating' } };
};

/**
 * Throws a StatusError if a namespace may not be deleted: a default one, or one with an object that must be deleted
 * explicitly and in its own order, such as a Cluster.
 */
export const refuseNamespaceInUse = async (
  { resources, storage }: RegistryOptions,
  resource: ResourceDefinition,
  { metadata }: KubeObject,
): Promise<void> => {
  if (FIRST_NAMESPACES.includes(metadata.name)) {
    throw forbidden(resource, metadata.name, 'this namespace may not be deleted');
  }
  const kinds = resources.filter(({ keepsNamespace }) => keepsNamespace);
  const lists = await Promise.all(kinds.map((kind) => storage.list(kind, { namespace: metadata.name, limit: 1 })));
  const kept = kinds.filter((_, index) => lists[index]?.items.length).map(qualified);
  if (kept.length > 0) {
    const why = `the namespace still contains objects that must be deleted in their own order; delete them first: ${kept.join(', ')}`;
    throw conflict(resource, metadata.name, why);
  }
};
