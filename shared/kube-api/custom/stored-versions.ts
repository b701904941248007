import { apiVersionOf } from '../decode.ts';
import type { KubeObject, ResourceId } from '../object.ts';
import type { ConvertObjects, CustomKind, ResourceDefinition } from '../resource.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { prune } from '../schema/prune.ts';
import type { Former, FormerOf } from '../selectors/selected-parts.ts';
import { StatusError } from '../status-error.ts';
import type { Storage, StorageEvent } from '../storage/storage.ts';
import { storedApiVersion } from './resource-of.ts';

type Custom = ResourceDefinition & { custom: CustomKind };

/** Reads and writes name their resource by its id; the server passes whole definitions. */
const customOf = (resource: ResourceId): Custom | undefined =>
  'custom' in resource && resource.custom !== undefined && !(resource as Custom).custom.isAsStored
    ? (resource as Custom)
    : undefined;

/** A stored object with the current defaults of the version that it is stored in. */
const defaulted = ({ custom }: Custom, stored: KubeObject, isPruned: boolean): KubeObject => {
  const schema = custom.schemaOf(stored.apiVersion.split('/')[1] ?? '');
  if (!schema) return stored;
  const whole = withMetadata(schema);
  return applyDefaults(whole, isPruned ? prune(whole, stored).value : stored) as KubeObject;
};

/**
 * A stored object in the version of the request: with the current defaults of its stored version, and without fields
 * that are unknown in the requested version. With the strategy None nothing else differs.
 */
const shown = (resource: Custom, stored: KubeObject): KubeObject => {
  const { value } = prune(withMetadata(resource.schema), defaulted(resource, stored, false));
  return { ...(value as KubeObject), apiVersion: apiVersionOf(resource), kind: resource.kind };
};

const refuseCreation = (): never => {
  const why = 'create not allowed while custom resource definition is terminating';
  throw new StatusError(405, 'MethodNotAllowed', why, {});
};

/** Objects as they are stored, by the value that was shown of them. */
type Originals = WeakMap<KubeObject, KubeObject>;

const showAll = (
  resource: Custom,
  stored: readonly KubeObject[],
  originals: Originals,
): KubeObject[] | Promise<KubeObject[]> => {
  const { convert } = resource.custom;
  const known = (objects: KubeObject[]): KubeObject[] => {
    for (const [index, object] of objects.entries()) originals.set(object, stored[index] ?? object);
    return objects;
  };
  if (!convert) return known(stored.map((object) => shown(resource, object)));
  const all = stored.map((object) => defaulted(resource, object, true));
  return convert(all, apiVersionOf(resource)).then(known);
};

const showOne = (resource: Custom, stored: KubeObject, originals: Originals): KubeObject | Promise<KubeObject> => {
  const all = showAll(resource, [stored], originals);
  return Array.isArray(all) ? (all[0] ?? stored) : all.then(([first = stored]) => first);
};

const stored = async (resource: Custom, convert: ConvertObjects, object: KubeObject): Promise<KubeObject> => {
  const [converted = object] = await convert([object], storedApiVersion(resource));
  return converted;
};

/** The object as it is to be stored; at once where nothing has to be converted. */
const toStore = (resource: Custom, object: KubeObject): KubeObject | Promise<KubeObject> => {
  const { convert } = resource.custom;
  return convert ? stored(resource, convert, object) : { ...object, apiVersion: storedApiVersion(resource) };
};

/** Fields have other places in the other versions of a webhook's kind: there it is unknown what watches could see. */
const formerIn = ({ custom }: Custom, former: Former | undefined): Former | undefined =>
  custom.convert && custom.served().some(({ selectableFields = [] }) => selectableFields.length > 0) ? {} : former;

/** Events with all objects in the requested version, which are converted together. */
const showEvents = async (
  resource: Custom,
  events: readonly StorageEvent[],
  originals: Originals,
): Promise<StorageEvent[]> => {
  const objects = await showAll(
    resource,
    events.flatMap(({ object, previous = [] }) => [object, ...previous]),
    originals,
  );
  const next = objects.values();
  const take = (stored: KubeObject): KubeObject => next.next().value ?? stored;
  return events.map(({ object, previous, ...event }) => ({
    ...event,
    object: take(object),
    ...(previous ? { previous: previous.map(take) } : {}),
  }));
};

/**
 * A storage in which objects of custom resources are stored in the storage version of their definition, and read in the
 * requested version, as by upstream's codecs (k8s.io/apiextensions-apiserver/pkg/apiserver). A webhook of the definition
 * converts them, all objects of a list in one call. Reads and writes of other kinds are passed on.
 */
export const withStoredVersions = (storage: Storage): Storage => {
  const originals: Originals = new WeakMap();
  return {
    ...storage,
    get: async (resource, namespace, name, options) => {
      const found = await storage.get(resource, namespace, name, options);
      const custom = customOf(resource);
      return found && custom ? showOne(custom, found, originals) : found;
    },
    list: async (resource, options) => {
      const found = await storage.list(resource, options);
      const custom = customOf(resource);
      return custom ? { ...found, items: await showAll(custom, found.items, originals) } : found;
    },
    create: async (resource, object, cluster, formerOf) => {
      const custom = customOf(resource);
      if (!custom) return storage.create(resource, object, cluster, formerOf);
      if (custom.custom.isTerminating) refuseCreation();
      const ofCustom: FormerOf | undefined = formerOf && ((old) => formerIn(custom, formerOf(old)));
      const next = await toStore(custom, object);
      return showOne(custom, await storage.create(resource, next, cluster, ofCustom), originals);
    },
    update: async (resource, object, cluster, former) => {
      const custom = customOf(resource);
      if (!custom) return storage.update(resource, object, cluster, former);
      const next = await toStore(custom, object);
      return showOne(custom, await storage.update(resource, next, cluster, formerIn(custom, former)), originals);
    },
    remove: async (resource, object) => {
      const custom = customOf(resource);
      if (!custom) return storage.remove(resource, object);
      const { metadata } = await storage.remove(resource, originals.get(object) ?? (await toStore(custom, object)));
      return { ...object, metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion } };
    },
    rehearse: async (resource, object) => {
      const custom = customOf(resource);
      return custom?.custom.convert ? showOne(custom, await toStore(custom, object), originals) : object;
    },
    isOutdated: (resource, object) => {
      const custom = customOf(resource);
      const found = custom && originals.get(object);
      return custom !== undefined && found !== undefined && found.apiVersion !== storedApiVersion(custom);
    },
    changes: (resource, options) => {
      const feed = storage.changes(resource, options);
      const custom = customOf(resource);
      if (!custom) return feed;
      return {
        poll: async () => {
          const events = await feed.poll();
          return events.length === 0 ? events : showEvents(custom, events, originals);
        },
        get isBehind() {
          return feed.isBehind;
        },
        get resourceVersion() {
          return feed.resourceVersion;
        },
      };
    },
  };
};
