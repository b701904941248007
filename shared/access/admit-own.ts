import { formatCauses, summarize } from '../kube-api/field-error.ts';
import { isObject } from '../kube-api/json.ts';
import type { KubeObject, ObjectKey, ResourceId } from '../kube-api/object.ts';
import { decide } from '../kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../kube-api/server/user.ts';
import { forbidden, invalid } from '../kube-api/status-error.ts';
import { judgeWrite, lostFinalizers } from '../plan/annotations/controllers-own.ts';
import { OWN_FINALIZERS, ownFieldsOf } from '../providers/own-fields.ts';
import { ADOPT } from './adopt-verb.ts';

/** Whether a user may change the fields that the controllers write. */
const mayAdopt = async (
  authorize: Authorize,
  user: User,
  { group, plural }: ResourceId,
  { name, namespace }: Partial<ObjectKey>,
): Promise<boolean> => {
  const asked = { verb: ADOPT, group, resource: plural, namespace, ...(name ? { name } : {}) };
  return (await decide(authorize, user, asked)).allowed;
};

/**
 * The body of a user's write, completed with the controllers' finalizers of the stored object. A manifest contains
 * none, and the list in a client's copy may be outdated. The controllers would set them again, but until then the
 * object could be deleted while its resources still exist. Nothing is added while the object is being deleted: then
 * `admitOwn` refuses the write and gives the reason. A promise only if the user's rights must be checked.
 */
export const withOwnFinalizers = (
  authorize: Authorize,
  user: User,
  { resource, current, body }: { resource: ResourceId; current: KubeObject; body: unknown },
): unknown => {
  if (!ownFieldsOf(resource) || current.metadata.deletionTimestamp || !isObject(body)) return body;
  const lost = lostFinalizers(body, current, OWN_FINALIZERS);
  const { metadata } = body;
  if (lost.length === 0 || !isObject(metadata)) return body;
  const stated: unknown[] = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
  const kept = { ...body, metadata: { ...metadata, finalizers: [...lost, ...stated] } };
  return mayAdopt(authorize, user, resource, current.metadata).then((may) => (may ? body : kept));
};

/**
 * Refuses writes that users may not make and names the field: 422 for an invalid setting, 403 for fields of the
 * controllers, unless the user may `adopt` the resource. Controllers bypass the API, and are not checked.
 */
export const admitOwn = async (authorize: Authorize, user: User, attempt: WriteAttempt): Promise<void> => {
  const { resource, object } = attempt;
  const { name = '', namespace } = object.metadata;
  const { own, wrong } = judgeWrite(attempt, ownFieldsOf(resource), OWN_FINALIZERS);
  if (wrong.length > 0) throw invalid(resource, name, wrong);
  if (own.length === 0) return;
  if (await mayAdopt(authorize, user, resource, { name, namespace })) return;
  const why = `${summarize(own)}; it needs the verb "${ADOPT}" on ${resource.plural}, which administrators have (docs/annotations.md)`;
  throw forbidden(resource, name, why, formatCauses(own));
};
