import type { ObjectKey, ObjectMeta } from './object.ts';
import type { UpdateOptions } from './registry/registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { badRequest, conflict, type StatusError } from './status-error.ts';

/**
 * Throws a StatusError 400 if an object has another name than the one that it would replace. An omitted name is an
 * error, an omitted namespace is not.
 */
export const checkName = (
  next: Partial<ObjectMeta>,
  { name, namespace }: Pick<ObjectMeta, 'name' | 'namespace'>,
): void => {
  if (!next.name) throw nameless(name);
  if (next.name !== name) {
    throw badRequest(`the name of the object (${next.name}) does not match the name on the URL (${name})`);
  }
  checkNamespace(next.namespace, namespace);
};

/** Throws a StatusError 400 where an object states another namespace than the request; it may state none. */
export const checkNamespace = (stated: string | undefined, namespace: string | undefined): void => {
  if (!stated || stated === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
};

/** The refusal of an object that has no name, though its address has one. */
export const nameless = (name: string): StatusError =>
  badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);

/** The refusal of an object that is to be created under its name, though it says that it is one that existed. */
export const nothingOfUid = (resource: ResourceDefinition, name: string, uid: unknown): StatusError =>
  conflict(
    resource,
    name,
    `uid mismatch: the provided object specified uid ${String(uid)}, and no existing object was found`,
  );

/**
 * Throws a StatusError 409 if the object is not the one that the writer has seen. In a patch another uid is not such a
 * precondition but a change of an immutable field.
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

/** The namespace under which an object of the kind is stored: none if the kind is cluster-scoped. */
export const namespaceOf = (resource: ResourceDefinition, key: ObjectKey): string =>
  resource.namespaced ? key.namespace : '';
