import { formatCauses, summarize } from '../kube-api/field-error.ts';
import { decide } from '../kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../kube-api/server/user.ts';
import { forbidden, invalid } from '../kube-api/status-error.ts';
import { judgeWrite } from '../plan/annotations/controllers-own.ts';
import { ownFieldsOf } from '../providers/own-fields.ts';
import { ADOPT } from './adopt-verb.ts';

/**
 * Refuses by name what is not a user's to write: 422 for a wish that cannot be understood, 403 for what is the
 * controllers', unless the user may `adopt` the resource. Controllers write past the API, and never come here.
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
