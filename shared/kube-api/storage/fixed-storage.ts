import type { KubeObject, ResourceId } from '../object.ts';
import { forbidden, qualified } from '../status-error.ts';
import { continueAfter, decodeContinue } from './continue-token.ts';
import type { ListOptions, ListResult, Storage } from './storage.ts';

/**
 * Objects that are part of the server: they are read-only, and only change with the server itself. Clients may create
 * others of their kind with other names.
 */
export interface FixedObjects {
  resource: ResourceId;
  /** Cluster-scoped, in the order of their names. Called when they are first needed. */
  objects(): Promise<readonly KubeObject[]>;
}

/** The version of fixed objects: older than everything that is stored. */
const VERSION = '1';

/** A storage that has fixed objects in addition to those of `storage`. */
export const withFixedObjects = (storage: Storage, fixed: readonly FixedObjects[]): Storage => {
  const known = new Map(fixed.map((entry) => [qualified(entry.resource), entry]));
  const fixedOf = async (resource: ResourceId): Promise<readonly KubeObject[] | undefined> =>
    known.get(qualified(resource))?.objects();
  const refuseFixed = async (resource: ResourceId, { metadata: { name } }: KubeObject): Promise<void> => {
    const found = await fixedOf(resource);
    if (found && find(found, name)) throw partOfServer(resource, name);
  };
  return {
    ...storage,
    get: async (resource, namespace, name, options) => {
      const found = find((await fixedOf(resource)) ?? [], name);
      return found ?? storage.get(resource, namespace, name, options);
    },
    list: async (resource, options) => {
      const found = await fixedOf(resource);
      return found ? page(found, await readAll(storage, resource), options) : storage.list(resource, options);
    },
    create: async (resource, object, cluster, formerOf) => {
      await refuseFixed(resource, object);
      return storage.create(resource, object, cluster, formerOf);
    },
    update: async (resource, object, cluster, former) => {
      await refuseFixed(resource, object);
      return storage.update(resource, object, cluster, former);
    },
    remove: async (resource, object) => {
      await refuseFixed(resource, object);
      return storage.remove(resource, object);
    },
  };
};

/** The refusal of a write of an object that is part of the server. */
export const partOfServer = (resource: ResourceId, name: string) =>
  forbidden(resource, name, 'it is part of this server and can only be read');

const versioned = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: VERSION },
});

const find = (objects: readonly KubeObject[], name: string): KubeObject | undefined => {
  const found = objects.find(({ metadata }) => metadata.name === name);
  return found && versioned(found);
};

/** Everything that is stored. Kinds with fixed objects have few others. */
const readAll = async (storage: Storage, resource: ResourceId): Promise<ListResult> => {
  const first = await storage.list(resource, {});
  const items = [...first.items];
  for (let token = first.continue; token !== undefined; ) {
    const next = await storage.list(resource, { continue: token });
    items.push(...next.items);
    token = next.continue;
  }
  return { items, resourceVersion: first.resourceVersion };
};

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** Fixed objects have no namespace. */
const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1);

const page = (
  objects: readonly KubeObject[],
  stored: ListResult,
  { limit, continue: token }: ListOptions,
): ListResult => {
  const from = token === undefined ? '' : nameIn(decodeContinue(token).after);
  const { resourceVersion } = stored;
  const rest = [...objects.map(versioned), ...stored.items]
    .filter(({ metadata }) => metadata.name > from)
    .toSorted(byName);
  const items = rest.slice(0, limit || rest.length);
  const remainingItemCount = rest.length - items.length;
  const after = items.at(-1)?.metadata.name;
  return {
    items,
    resourceVersion,
    ...(remainingItemCount > 0 && after !== undefined
      ? { continue: continueAfter(resourceVersion, { name: after }), remainingItemCount }
      : {}),
  };
};
