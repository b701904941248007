import { isDeepStrictEqual } from 'node:util';
import type { ClusterRole, PolicyRule, RoleBinding } from '../kinds/index.ts';
import { RBAC_GROUP } from '../kinds/schema/rbac.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { Attributes, Decision, User, WriteAttempt } from '../kube-api/server/user.ts';
import { forbidden, notFound } from '../kube-api/status-error.ts';
import { isPrincipalMap, validatePrincipalMap } from './aws-auth.ts';
import { missingRights } from './covers.ts';
import { grantsOf, rulesOfRole } from './grants.ts';
import { isMaster } from './masters.ts';
import type { Policy } from './policy.ts';

/**
 * Users cannot grant rights that they do not hold (k8s.io/kubernetes pkg/registry/rbac): neither by writing them into a
 * role, nor by binding a role, nor by mapping a principal to a group. The verbs `escalate` and `bind` are exceptions
 * that an admin can grant.
 */

type Ask = (user: User, attributes: Attributes) => Promise<Decision>;

/** Unrestricted rights. Rights that cannot be determined in advance may only be granted by a user who has these. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** A list in the form of Go's %q. */
const quotedList = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;

/** Owners of the map count as changes as well: the garbage collector deletes an object when all its owners are gone. */
const withoutManagers = (object: KubeObject): unknown => {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** Removes what the garbage collector changes, which grants no rights. */
const withoutCollection = (object: KubeObject): unknown => {
  const { finalizers: _, ownerReferences: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
};

const requireRights = async (
  policy: Policy,
  user: User,
  { resource, object }: WriteAttempt,
  wanted: readonly PolicyRule[],
): Promise<void> => {
  const { name, namespace = '' } = object.metadata;
  const { grants, errors } = await grantsOf(policy, user, namespace);
  const missing = missingRights(
    grants.flatMap(({ rules }) => rules),
    wanted,
  );
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
  const unknown = errors.length > 0 ? `; resolution errors: ${quotedList(errors)}` : '';
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}${unknown}`;
  throw forbidden(resource, name, why);
};

const admitRole = async (policy: Policy, ask: Ask, user: User, attempt: WriteAttempt): Promise<void> => {
  const { resource, object, old } = attempt;
  const { name, namespace } = object.metadata;
  const { group, plural } = resource;
  // As in upstream, a creation has no name yet: `escalate` on one name does not allow the creation of that role.
  const asked = { verb: 'escalate', group, resource: plural, namespace, ...(old ? { name } : {}) };
  if ((await ask(user, asked)).allowed) return;
  const role = object as ClusterRole;
  await requireRights(policy, user, attempt, role.rules ?? []);
  if (role.aggregationRule === undefined) return;
  await requireRights(policy, user, attempt, EVERYTHING).catch(() => {
    throw forbidden(resource, name, 'must have cluster-admin privileges to use an aggregationRule');
  });
};

const admitBinding = async (policy: Policy, ask: Ask, user: User, attempt: WriteAttempt): Promise<void> => {
  const { roleRef = {}, metadata } = attempt.object as RoleBinding;
  const plural = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
  const { namespace = '' } = metadata;
  const asked = { verb: 'bind', group: RBAC_GROUP, resource: plural, namespace, name: roleRef.name };
  if ((await ask(user, asked)).allowed) return;
  const rules = await rulesOfRole(policy, roleRef, namespace);
  if (!rules) throw notFound({ group: RBAC_GROUP, plural }, roleRef.name ?? '');
  await requireRights(policy, user, attempt, rules);
};

/**
 * The map can make a user a member of any group, and all rights but those of administrators may come from it. Only
 * administrators can write or delete it.
 */
const admitPrincipalMap = async (policy: Policy, user: User, attempt: WriteAttempt): Promise<void> => {
  if (!attempt.isDeletion) await validatePrincipalMap(attempt.object);
  if (!isMaster(user)) await requireRights(policy, user, attempt, EVERYTHING);
};

export const admitWrite = async (policy: Policy, ask: Ask, user: User, attempt: WriteAttempt): Promise<void> => {
  const { resource, object, old, isDeletion = false } = attempt;
  const isMap = isPrincipalMap(resource, object);
  if (!isMap && (resource.group !== RBAC_GROUP || isDeletion)) return;
  const relevant = isMap ? withoutManagers : withoutCollection;
  if (old && isDeepStrictEqual(relevant(object), relevant(old))) return;
  // Rights that the user held a moment ago must not be passed on.
  policy.forget();
  if (isMap) return admitPrincipalMap(policy, user, attempt);
  if (isMaster(user)) return;
  const admit = resource.kind.endsWith('Binding') ? admitBinding : admitRole;
  await admit(policy, ask, user, attempt);
};
