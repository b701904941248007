import { formatCauses, summarize } from '../kube-api/field-error.ts';
import { decide } from '../kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../kube-api/server/user.ts';
import { forbidden, invalid } from '../kube-api/status-error.ts';
import { judgeWrite } from '../plan/annotations/controllers-own.ts';
import { ownFieldsOf } from '../providers/own-fields.ts';
import { ADOPT } from './adopt-verb.ts';

/**
 * Refuses by name writes that users may not make: 422 for an invalid setting, 403 for controllers' fields, unless the
 * user may `adopt` the resource. Controllers bypass the API, and are not checked.
 */
export const admitOwn = async (authorize: Authorize, user: User, attempt: WriteAttempt): Promise<void> => {
  const { resource, object } = attempt;
  const { name = '', namespace } = object.metadata;
  const { own, wrong } = judgeWrite(attempt, ownFieldsOf(resource));
  if (wrong.length > 0) throw invalid(resource, name, wrong);
  if (own.length === 0) return;
  const { group, plural } = resource;
  const asked = { verb: ADOPT, group, resource: plural, namespace, ...(name ? { name } : {}) };
  if ((await decide(authorize, user, asked)).allowed) return;
  const why = `${summarize(own)}; it needs the verb "${ADOPT}" on ${plural}, which administrators have (docs/annotations.md)`;
  throw forbidden(resource, name, why, formatCauses(own));
};
