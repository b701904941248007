import type { AccessControl, Decision, User, UserRules } from '../kube-api/server/user.ts';
import { admitWrite } from './admit.ts';
import { admitOwn, withOwnFinalizers } from './admit-own.ts';
import { type Grants, grantsOf } from './grants.ts';
import { isMaster } from './masters.ts';
import type { Policy } from './policy.ts';
import { ruleAllows } from './rule.ts';

/** Formats several errors as Go does. */
const joined = (errors: readonly string[]): string =>
  errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`;

const denial = ({ errors }: Grants): Decision =>
  errors.length === 0 ? { allowed: false } : { allowed: false, reason: `RBAC: ${joined(errors)}` };

const reviewed = ({ grants, errors }: Grants): UserRules => {
  const rules = grants.flatMap((grant) => grant.rules);
  return {
    resourceRules: rules
      .filter(({ resources = [] }) => resources.length > 0)
      .map(({ verbs = [], apiGroups = [], resources = [], resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames ? { resourceNames } : {}),
      })),
    nonResourceRules: rules.flatMap(({ verbs = [], nonResourceURLs }) =>
      nonResourceURLs?.length ? [{ verbs, nonResourceURLs }] : [],
    ),
    incomplete: errors.length > 0,
    ...(errors.length > 0 ? { evaluationError: joined(errors) } : {}),
  };
};

/** Role-based access control as in upstream, over the objects of a policy. */
export const createAccessControl = (policy: Policy): AccessControl => {
  const authorize = async (user: User, attributes: Parameters<AccessControl['authorize']>[1]): Promise<Decision> => {
    if (isMaster(user)) return { allowed: true };
    const found = await grantsOf(policy, user, attributes.namespace ?? '');
    const grant = found.grants.find(({ rules }) => rules.some((rule) => ruleAllows(rule, attributes)));
    return grant ? { allowed: true, reason: `RBAC: allowed by ${grant.through}` } : denial(found);
  };
  return {
    authorize,
    rulesOf: async (user, namespace) => reviewed(await grantsOf(policy, user, namespace)),
    completeUpdate: (user, write) => withOwnFinalizers(authorize, user, write),
    admit: async (user, attempt) => {
      await admitWrite(policy, authorize, user, attempt);
      await admitOwn(authorize, user, attempt);
    },
  };
};
