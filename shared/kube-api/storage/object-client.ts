import { ConflictError } from '../../errors.ts';
import { type KubeObject, lookUp } from '../object.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import type { ObjectClient } from './client.ts';
import type { ReadBudget } from './read-budget.ts';
import { PERSISTENT_ATTEMPTS } from './retry.ts';
import type { ListOptions, ReadOptions } from './storage.ts';

/** The name of Windlass's controllers in managedFields. */
export const CONTROLLERS = 'windlass';

const hasReason = (error: unknown, reason: string): boolean => error instanceof StatusError && error.reason === reason;

/**
 * The controllers' access to the objects of a registry. An existing object costs one read (`ensure`, an unchanged
 * `mutate`) or a read and a write; nothing else is read, so the namespace of a new object is assumed to exist. An
 * unknown field is a StatusError 400, and never dropped: it would be a bug in our own code. Changes are recorded in
 * managedFields as updates by `manager`, so that a contradicting apply gets a conflict.
 */
export const createObjectClient = (registry: Registry, manager: string = CONTROLLERS): ObjectClient => ({
  get: (resource, key, options) => registry.find(resource, key, options),

  list: async <T extends KubeObject>(resource: ResourceDefinition<T>, namespace?: string, budget?: ReadBudget) =>
    (await listAll(registry, resource, {
      ...unscoped(resource),
      ...(namespace === undefined ? {} : { namespace }),
      budget,
    })) as T[],

  survey: async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    namespaces?: readonly string[],
    budget?: ReadBudget,
  ) => {
    const where = { ...unscoped(resource), ...(namespaces ? { namespaces } : {}) };
    return (await listAll(registry, resource, { isEventual: true, budget, ...where })) as T[];
  },

  listOfCluster: async <T extends KubeObject>(
    resource: Parameters<Registry['list']>[0],
    namespace: string,
    cluster: string,
    options: ReadOptions = {},
  ) => (await listAll(registry, resource, { ...options, namespace, cluster })) as T[],

  listNaming: async <T extends KubeObject>(
    resource: Parameters<Registry['list']>[0],
    namespace: string,
    naming: NonNullable<ListOptions['naming']>,
  ) => (await listAll(registry, resource, { namespace, naming })) as T[],

  ensure: async (resource, object, { isExpectedNew = false } = {}) => {
    const { name, namespace = '' } = object.metadata;
    const key = { namespace, name };
    const existing = isExpectedNew ? undefined : await registry.find(resource, key);
    if (existing) return { object: existing, created: false };
    try {
      const written = await registry.create(resource, object, { scope: 'all', fieldManager: { name: manager } });
      return { object: written.object, created: true };
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
      return { object: await registry.get(resource, key), created: false };
    }
  },

  mutate: async (resource, target, change, { from } = {}) => {
    const { key, uid } = lookUp(target);
    const isMeant = ({ metadata }: KubeObject): boolean => uid === undefined || metadata.uid === uid;
    try {
      const options = { scope: 'all', attempts: PERSISTENT_ATTEMPTS, fieldManager: { name: manager }, from } as const;
      const changeMeant: typeof change = (current) => (isMeant(current) ? change(current) : undefined);
      const written = await registry.update(resource, key, changeMeant, options);
      return written.outcome === 'removed' || !isMeant(written.object) ? undefined : written.object;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      if (hasReason(error, 'Conflict')) throw new ConflictError((error as Error).message, { cause: error });
      throw error;
    }
  },

  apply: async (resource, object, applier, { mayChange } = {}) => {
    const { name, namespace = '' } = object.metadata;
    const guard = async (_: KubeObject, existing?: KubeObject) => existing && mayChange?.(existing);
    try {
      const options = { manager: applier, force: true, guard };
      const written = await registry.apply(resource, { namespace, name }, object, options);
      return { object: written.object, outcome: written.outcome === 'removed' ? 'updated' : written.outcome };
    } catch (error) {
      if (hasReason(error, 'Conflict')) throw new ConflictError((error as Error).message, { cause: error });
      throw error;
    }
  },

  delete: async (resource, target, options) => {
    const { key, uid } = lookUp(target);
    try {
      await registry.delete(resource, key, { ...options, preconditions: { uid } });
    } catch (error) {
      if (hasReason(error, 'Conflict') && uid && (await registry.find(resource, key))?.metadata.uid !== uid) return;
      if (hasReason(error, 'Conflict')) throw new ConflictError((error as Error).message, { cause: error });
      if (!hasReason(error, 'NotFound')) throw error;
    }
  },
});

/** Objects of the cluster are stored in the empty namespace: without it, each namespace would be read for nothing. */
const unscoped = ({ namespaced }: ResourceDefinition): ListOptions => (namespaced ? {} : { namespace: '' });

/** All pages of a list; a storage may answer in pages without being asked to. */
const listAll = async (
  registry: Registry,
  resource: Parameters<Registry['list']>[0],
  options: Omit<ListOptions, 'limit' | 'continue'>,
): Promise<KubeObject[]> => {
  const items: KubeObject[] = [];
  let token: string | undefined;
  do {
    const page = await registry.list(resource, { ...options, continue: token, unversioned: true });
    items.push(...page.items);
    token = page.continue;
  } while (token !== undefined);
  return items;
};
