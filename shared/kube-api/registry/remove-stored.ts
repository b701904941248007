import type { Ownership } from '../garbage/contract.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { followedWrite } from '../storage/followed-write.ts';
import type { RegistryOptions } from './registry.ts';

/**
 * Removes an object in the version that is given, whatever its finalizers, with the required steps before and after it.
 * Returns its last state.
 */
export const removeStored = async <T extends KubeObject>(
  options: RegistryOptions,
  ownership: Ownership,
  resource: ResourceDefinition<T>,
  object: T,
): Promise<T> => {
  await ownership.leaving(resource, object);
  const removed = await followedWrite(
    options,
    { type: 'deleted', resource, object },
    () => options.storage.remove(resource, object) as Promise<T>,
  );
  await ownership.left(resource, removed);
  return removed;
};
