import { ExpiredError } from '../errors.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { KubeObject, ResourceId } from './object.ts';
import { qualified } from './status-error.ts';
import type { ChangeFeed, ListOptions, ListResult, Storage } from './storage.ts';

/** Objects that are part of the server: nobody writes them, and they change only with the server itself. */
export interface FixedObjects {
  resource: ResourceId;
  /** Cluster-scoped, by name in order. Called when they are first needed. */
  objects(): Promise<readonly KubeObject[]>;
}

/** The one version at which fixed objects are; clients take "0" for "any version". */
const VERSION = '1';

/** A storage that answers for fixed objects itself and leaves everything else to `storage`. */
export const withFixedObjects = (storage: Storage, fixed: readonly FixedObjects[]): Storage => {
  const known = new Map(fixed.map((entry) => [qualified(entry.resource), entry]));
  const fixedOf = (resource: ResourceId): FixedObjects | undefined => known.get(qualified(resource));
  const refuse = (resource: ResourceId): never => {
    throw new Error(`${qualified(resource)} cannot be written`);
  };
  return {
    get: async (resource, namespace, name) => {
      const found = fixedOf(resource);
      return found ? find(await found.objects(), name) : storage.get(resource, namespace, name);
    },
    list: async (resource, options) => {
      const found = fixedOf(resource);
      return found ? page(await found.objects(), options) : storage.list(resource, options);
    },
    changes: (resource, options) => (fixedOf(resource) ? quietFeed(options.after) : storage.changes(resource, options)),
    create: async (resource, object, cluster) =>
      fixedOf(resource) ? refuse(resource) : storage.create(resource, object, cluster),
    checkCreate: async (resource, object) => storage.checkCreate?.(resource, object),
    update: async (resource, object, cluster, former) =>
      fixedOf(resource) ? refuse(resource) : storage.update(resource, object, cluster, former),
    remove: async (resource, object) => (fixedOf(resource) ? refuse(resource) : storage.remove(resource, object)),
  };
};

const versioned = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: VERSION },
});

const find = (objects: readonly KubeObject[], name: string): KubeObject | undefined => {
  const found = objects.find(({ metadata }) => metadata.name === name);
  return found && versioned(found);
};

const page = (objects: readonly KubeObject[], { limit, continue: token }: ListOptions): ListResult => {
  const from = token === undefined ? '' : decodeContinue(token).after;
  const rest = objects.filter(({ metadata }) => metadata.name > from);
  const items = rest.slice(0, limit || rest.length).map(versioned);
  const remainingItemCount = rest.length - items.length;
  const after = items.at(-1)?.metadata.name;
  return {
    items,
    resourceVersion: VERSION,
    ...(remainingItemCount > 0 && after !== undefined
      ? { continue: encodeContinue({ resourceVersion: VERSION, after }), remainingItemCount }
      : {}),
  };
};

const quietFeed = (after: string): ChangeFeed => ({
  poll: async () => {
    if (after !== VERSION) throw new ExpiredError(`too old resource version: ${after} (${VERSION})`);
    return [];
  },
  resourceVersion: VERSION,
});
