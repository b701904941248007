import { apiVersionOf } from '../decode.ts';
import type { KubeObject, ResourceId } from '../object.ts';
import type { CustomKind, ResourceDefinition } from '../resource.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { prune } from '../schema/prune.ts';
import { StatusError } from '../status-error.ts';
import type { Storage } from '../storage.ts';
import { storedApiVersion } from './resource-of.ts';

type Custom = ResourceDefinition & { custom: CustomKind };

/** Reads and writes name their resource by its id; the server passes whole definitions. */
const customOf = (resource: ResourceId): Custom | undefined =>
  'custom' in resource && resource.custom !== undefined ? (resource as Custom) : undefined;

/**
 * A stored object in the version of the request: with the current defaults of its stored version, and without fields
 * that are unknown in the requested version. With the strategy None nothing else differs.
 */
const shown = (resource: Custom, stored: KubeObject): KubeObject => {
  const of = resource.custom.schemaOf(stored.apiVersion.split('/')[1] ?? '');
  const defaulted = of ? applyDefaults(withMetadata(of), stored) : stored;
  const { value } = prune(withMetadata(resource.schema), defaulted);
  return { ...(value as KubeObject), apiVersion: apiVersionOf(resource), kind: resource.kind };
};

const stored = (resource: Custom, object: KubeObject): KubeObject => ({
  ...object,
  apiVersion: storedApiVersion(resource),
});

const refuseCreation = (): never => {
  const why = 'create not allowed while custom resource definition is terminating';
  throw new StatusError(405, 'MethodNotAllowed', why, {});
};

/**
 * A storage in which objects of custom resources are stored in the storage version of their definition, and read in the
 * requested version, as by upstream's codecs (k8s.io/apiextensions-apiserver/pkg/apiserver).
 */
export const withStoredVersions = (storage: Storage): Storage => ({
  ...storage,
  get: async (resource, namespace, name) => {
    const found = await storage.get(resource, namespace, name);
    const custom = customOf(resource);
    return found && custom ? shown(custom, found) : found;
  },
  list: async (resource, options) => {
    const found = await storage.list(resource, options);
    const custom = customOf(resource);
    return custom ? { ...found, items: found.items.map((item) => shown(custom, item)) } : found;
  },
  create: async (resource, object, cluster) => {
    const custom = customOf(resource);
    if (!custom) return storage.create(resource, object, cluster);
    if (custom.custom.isTerminating) refuseCreation();
    return shown(custom, await storage.create(resource, stored(custom, object), cluster));
  },
  update: async (resource, object, cluster, former) => {
    const custom = customOf(resource);
    if (!custom) return storage.update(resource, object, cluster, former);
    return shown(custom, await storage.update(resource, stored(custom, object), cluster, former));
  },
  remove: async (resource, object) => {
    const custom = customOf(resource);
    if (!custom) return storage.remove(resource, object);
    return shown(custom, await storage.remove(resource, stored(custom, object)));
  },
  changes: (resource, options) => {
    const feed = storage.changes(resource, options);
    const custom = customOf(resource);
    if (!custom) return feed;
    return {
      poll: async () =>
        (await feed.poll()).map(({ object, previous, ...event }) => ({
          ...event,
          object: shown(custom, object),
          ...(previous ? { previous: previous.map((state) => shown(custom, state)) } : {}),
        })),
      get resourceVersion() {
        return feed.resourceVersion;
      },
    };
  },
});
