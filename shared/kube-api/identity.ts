import type { ObjectMeta } from './object.ts';
import type { UpdateOptions } from './registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { badRequest, conflict } from './status-error.ts';

/**
 * Throws a StatusError 400 where an object is called otherwise than the one that it is to replace. A name that is left out
 * is missing, a namespace is not.
 */
export const checkName = (
  next: Partial<ObjectMeta>,
  { name, namespace }: Pick<ObjectMeta, 'name' | 'namespace'>,
): void => {
  if (!next.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (next.name !== name) {
    throw badRequest(`the name of the object (${next.name}) does not match the name on the URL (${name})`);
  }
  if (next.namespace && next.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
};

/**
 * Throws a StatusError 409 where the object is not the one that the writer has seen. A patch that brings another uid is no
 * such precondition but a change of what cannot be changed.
 */
export const checkPreconditions = (
  resource: ResourceDefinition,
  { uid, resourceVersion }: ObjectMeta,
  current: ObjectMeta,
  { patch = false }: UpdateOptions,
): void => {
  if (uid && uid !== current.uid && !patch) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.uid}`;
    throw conflict(resource, current.name, why);
  }
  if (resourceVersion && resourceVersion !== current.resourceVersion) throw conflict(resource, current.name);
};
