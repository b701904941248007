import { forRequest } from '../custom/conversion/conversions.ts';
import { createOwnership } from '../garbage/ownership.ts';
import { namespaceOf } from '../identity.ts';
import type { KubeObject, ObjectKey } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { notFound } from '../status-error.ts';
import type { ReadOptions } from '../storage/storage.ts';
import { serveVersions } from '../versions/registry.ts';
import { finishNamespaces } from './namespace-content.ts';
import type { Registry, RegistryOptions } from './registry.ts';
import { createApplier } from './registry-apply.ts';
import { createCreator } from './registry-create.ts';
import { createDeleter } from './registry-delete.ts';
import { createUpdater } from './registry-update.ts';

/** The registry of the resources over the storage. */
export const createRegistry = (options: RegistryOptions): Registry => {
  const { resources, storage } = options;
  const find = async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    key: ObjectKey,
    read?: ReadOptions,
  ): Promise<T | undefined> =>
    // Stored objects have passed the admission of their kind.
    (await storage.get(resource, namespaceOf(resource, key), key.name, read)) as T | undefined;
  const get: Registry['get'] = async (resource, key) => {
    const found = await find(resource, key);
    if (!found) throw notFound(resource, key.name);
    return found;
  };
  const ownership = createOwnership(options, get);
  const remove = createDeleter(options, get, ownership);
  const create = createCreator(options, ownership, remove);
  const update = createUpdater(options, get, ownership);
  const served = serveVersions({
    resources,
    collectGarbage: async (budget, before) => {
      const { clock } = options;
      const end = clock.now().getTime() + budget.milliseconds;
      // A namespace whose contents cannot be removed must not delay everything else.
      const half = { ...budget, milliseconds: budget.milliseconds / 2 };
      const emptied = await finishNamespaces({ options, remove, budget: half, before, touched: [] });
      const swept = await ownership.sweep({ ...budget, milliseconds: end - clock.now().getTime() }, before);
      return {
        touched: [...emptied.touched, ...swept.touched],
        failures: [...emptied.failures, ...swept.failures],
        left: emptied.left + swept.left,
      };
    },
    find,
    get,
    list: (resource, listOptions) => storage.list(resource, listOptions),
    listVersion: (resource, listOptions) => storage.listVersion(resource, listOptions),
    changes: (resource, feedOptions) => storage.changes(resource, feedOptions),
    create: (resource, body, write) => create(forRequest(resource), body, write),
    update: (resource, key, change, write) => update(forRequest(resource), key, change, write),
    delete: (resource, key, deleteOptions) => remove(forRequest(resource), key, deleteOptions),
  });
  const apply = createApplier(options, served);
  return {
    ...served,
    apply: (resource, key, config, applyOptions) => apply(forRequest(resource), key, config, applyOptions),
  };
};
