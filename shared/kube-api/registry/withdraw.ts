import type { Ownership } from '../garbage/contract.ts';
import { type KubeObject, keyOf } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';
import { qualified, StatusError } from '../status-error.ts';
import { refusalSince } from './namespaces.ts';
import type { Registry, RegistryOptions } from './registry.ts';
import { removeStored } from './remove-stored.ts';

/**
 * Removes a new object again if its namespace is no longer the one that `requireNamespace` found, and returns the
 * refusal. A deletion marks the namespace before it lists what is in it, and both that list and the read here are
 * strongly consistent: either the list shows the object, or the read shows the mark, or that the namespace is gone.
 */
export const makeWithdraw = (options: RegistryOptions, ownership: Ownership, remove: Registry['delete']) => {
  /** False if others have changed the object in the meantime, and its finalizers keep it until they are done. */
  const isRemoved = async <T extends KubeObject>(resource: ResourceDefinition<T>, stored: T): Promise<boolean> => {
    try {
      await removeStored(options, ownership, resource, stored);
      return true;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
    const { uid, namespace = '', name } = stored.metadata;
    const found = await options.storage.get(resource, namespace, name, { unopened: true });
    if (found?.metadata.uid !== uid) return true;
    const how = { preconditions: { uid }, propagationPolicy: 'Background' } as const;
    return (await remove(resource, keyOf(stored), how)).outcome === 'removed';
  };

  return async <T extends KubeObject>(
    resource: ResourceDefinition<T>,
    stored: T,
    checked: KubeObject | undefined,
  ): Promise<StatusError | undefined> => {
    const refusal = await refusalSince(options, resource, stored, checked);
    if (!refusal) return undefined;
    const isGone = await isRemoved(resource, stored).catch((error: unknown) => {
      throw leftBehind(resource, stored, error);
    });
    if (!isGone) throw leftBehind(resource, stored);
    return refusal;
  };
};

/** Others were faster: they have changed the object or removed it. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'Conflict' || error.name === 'NotFound');

const leftBehind = (resource: ResourceDefinition, { metadata: { name } }: KubeObject, cause?: unknown): StatusError => {
  const what = `${qualified(resource)} "${name}" was created while its namespace was being deleted`;
  const error = new StatusError(500, 'InternalError', `Internal error occurred: ${what}, and may have been left in it`);
  error.cause = cause;
  return error;
};
