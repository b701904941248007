import type { FieldManager } from '../apply/tracker.ts';
import { apiVersionOf, type Decoded, decodeObject } from '../decode.ts';
import type { KubeObject } from '../object.ts';
import type { Registry, UpdateOptions, WriteOptions } from '../registry/registry.ts';
import type { ResourceDefinition, View } from '../resource.ts';
import { applyDefaults } from '../schema/default.ts';
import { withMetadata } from '../schema/metadata.ts';
import { validateSchema } from '../schema/validate.ts';
import { invalid, qualified, StatusError } from '../status-error.ts';
import type { ChangeFeed, ReadOptions } from '../storage/storage.ts';
import { fromStorage, toStorage } from './convert.ts';

/**
 * A registry that also serves the further versions of `stored`'s resources. A write is decoded, defaulted and validated
 * by the schema of its version, then converted, and then admitted like any write of the stored version. Objects are
 * converted when they are read. The `change` of an update receives the object in its own version.
 */
export const serveVersions = (stored: Omit<Registry, 'apply'>): Omit<Registry, 'apply'> => ({
  ...stored,

  find: async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: Parameters<Registry['find']>[1],
    options?: ReadOptions,
  ) => {
    if (!resource.view) return stored.find(resource, key, options);
    const found = await stored.find(resource.view.storage, key, options);
    return found && (fromStorage(resource.view, found) as T);
  },

  get: async <T extends KubeObject>(resource: ResourceDefinition<T>, key: Parameters<Registry['get']>[1]) => {
    if (!resource.view) return stored.get(resource, key);
    const found = await underItsName(resource, stored.get(resource.view.storage, key));
    return fromStorage(resource.view, found) as T;
  },

  list: async (resource, options) => {
    const view = viewOf(resource);
    const found = await stored.list(view?.storage ?? resource, options);
    return view ? { ...found, items: found.items.map((item) => fromStorage(view, item)) } : found;
  },

  listVersion: (resource, options) => stored.listVersion(viewOf(resource)?.storage ?? resource, options),

  changes: (resource, options) => {
    const view = viewOf(resource);
    const feed = stored.changes(view?.storage ?? resource, options);
    return view ? convertedFeed(view, feed) : feed;
  },

  create: async <T extends KubeObject>(resource: ResourceDefinition<T>, body: unknown, options: WriteOptions = {}) => {
    const { view } = resource;
    if (!view) return stored.create(resource, body, options);
    const { object, warnings } = decodeObject(resource, body, options);
    const admitted = admitVersion(resource, inScope(resource, object, undefined, options), undefined);
    const strict: WriteOptions = { ...options, fieldValidation: 'Strict', duplicates: undefined };
    const own = { ...strict, fieldManager: inVersion(resource, options.fieldManager) };
    const written = await underItsName(resource, stored.create(view.storage, toStorage(view, admitted), own));
    return { ...written, object: fromStorage(view, written.object) as T, warnings: [...warnings, ...written.warnings] };
  },

  update: async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: Parameters<Registry['update']>[1],
    change: (current: T) => unknown,
    options: UpdateOptions = {},
  ) => {
    const { view } = resource;
    if (!view) return stored.update(resource, key, change, options);
    let told: string[] = [];
    const convert = (body: unknown, current: T): unknown => {
      if (body === undefined) return undefined;
      const decoded: Decoded<T> = decodeObject(resource, body, { ...options, stored: current });
      told = decoded.warnings;
      return toStorage(view, admitVersion(resource, inScope(resource, decoded.object, current, options), current));
    };
    const convertedChange = (storedObject: KubeObject): unknown => {
      const current = fromStorage(view, storedObject) as T;
      const body = change(current);
      return body instanceof Promise ? body.then((one) => convert(one, current)) : convert(body, current);
    };
    // Unknown fields have already been handled; one that appears now would be a bug in the converter.
    const fieldManager = inVersion(resource, options.fieldManager);
    const own = { fieldManager, fieldValidation: 'Strict', duplicates: undefined, from: undefined } as const;
    const strict = { ...options, ...own };
    const written = await underItsName(resource, stored.update(view.storage, key, convertedChange, strict));
    return { ...written, object: fromStorage(view, written.object) as T, warnings: [...told, ...written.warnings] };
  },

  delete: async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: Parameters<Registry['delete']>[1],
    options?: Parameters<Registry['delete']>[2],
  ) => {
    if (!resource.view) return stored.delete(resource, key, options);
    const written = await underItsName(resource, stored.delete(resource.view.storage, key, options));
    return { ...written, object: fromStorage(resource.view, written.object) as T };
  },
});

/**
 * The reasons of errors that name the resource. They are reworded if the version has another group than the stored one.
 */
const NAMING: ReadonlySet<string> = new Set(['NotFound', 'AlreadyExists', 'Conflict']);

const underItsName = async <T>(resource: ResourceDefinition, result: Promise<T>): Promise<T> => {
  const { group, view } = resource;
  if (!view || group === view.storage.group) return result;
  return result.catch((error: unknown) => {
    const named = `${qualified(view.storage)} "`;
    if (!(error instanceof StatusError && NAMING.has(error.reason) && error.message.includes(named))) throw error;
    const message = error.message.replace(named, `${qualified(resource)} "`);
    throw new StatusError(error.code, error.reason, message, { ...error.details, group });
  });
};

/** A writer owns fields in the version that it writes. */
const inVersion = (resource: ResourceDefinition, manager: FieldManager | undefined): FieldManager | undefined =>
  manager && { ...manager, apiVersion: apiVersionOf(resource) };

/** The type of lists and watches is a resource id, but the server passes whole definitions. */
const viewOf = (resource: object): View | undefined =>
  'view' in resource ? (resource.view as View | undefined) : undefined;

const convertedFeed = (view: View, feed: ChangeFeed): ChangeFeed => ({
  poll: async () =>
    (await feed.poll()).map(({ object, previous, ...event }) => ({
      ...event,
      object: fromStorage(view, object),
      ...(previous ? { previous: previous.map((state) => fromStorage(view, state)) } : {}),
    })),
  get isBehind() {
    return feed.isBehind;
  },
  get resourceVersion() {
    return feed.resourceVersion;
  },
});

/** Limits a write to the part that its scope may change. The rest stays as it is and needs no conversion. */
const inScope = <T extends KubeObject>(
  { statusSubresource }: ResourceDefinition,
  object: T,
  current: T | undefined,
  { scope = 'main' }: WriteOptions,
): T => {
  if (scope === 'all' || !statusSubresource) return object;
  const { status, ...desire } = object as T & { status?: unknown };
  const { status: oldStatus, ...oldDesire } = (current ?? {}) as T & { status?: unknown };
  const [rest, kept] = scope === 'status' ? [{ ...oldDesire, metadata: object.metadata }, status] : [desire, oldStatus];
  return { ...rest, ...(kept === undefined ? {} : { status: kept }) } as T;
};

/** Applies defaults, and validates by the schema of the version. Throws a StatusError 422 with all errors. */
const admitVersion = <T extends KubeObject>(resource: ResourceDefinition<T>, object: T, old: T | undefined): T => {
  const { view } = resource;
  const defaulted = applyDefaults(withMetadata(resource.schema), object) as T;
  const ofSchema = validateSchema(resource.schema, defaulted);
  const errors = ofSchema.length > 0 ? ofSchema : (view?.version.validate?.(defaulted, old) ?? []);
  // The error names the stored resource.
  if (errors.length > 0) throw invalid(view?.storage ?? resource, object.metadata.name ?? '', errors);
  return (view?.version.default?.(defaulted) ?? defaulted) as T;
};
