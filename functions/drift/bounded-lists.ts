import { TooLargeError } from '../../shared/errors.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { makeReadBudget, type ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';

const tooLarge = (namespace: string): TooLargeError =>
  new TooLargeError(`the objects of namespace ${namespace} take too much memory`);

/** Lists of one namespace, which throw a TooLargeError when all of them together exceed the limits. */
export const withBoundedLists = (objects: ObjectClient, limits: ReadLimits): ObjectClient => {
  const budget = makeReadBudget(limits);
  return {
    ...objects,
    list: async (resource, namespace) => {
      const found = await objects.list(resource, namespace, budget);
      if (namespace !== undefined && budget.isLeftOut(namespace)) throw tooLarge(namespace);
      return found;
    },
  };
};

/** Gets and lists of a storage with the same limits. Lists of all namespaces omit the namespaces that exceed them. */
export const withBoundedStorage = (
  storage: Pick<Storage, 'get' | 'list'>,
  limits: ReadLimits,
): Pick<Storage, 'get' | 'list'> => {
  const budget = makeReadBudget(limits);
  return {
    get: (...what) => storage.get(...what),
    list: async (resource, options) => {
      const found = await storage.list(resource, { ...options, unversioned: true, budget });
      const { namespace } = options;
      if (namespace !== undefined && budget.isLeftOut(namespace)) throw tooLarge(namespace);
      return found;
    },
  };
};
