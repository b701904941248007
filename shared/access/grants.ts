import type { ClusterRoleBinding, PolicyRule, RoleBinding, RoleRef, Subject } from '../kinds/index.ts';
import type { User } from '../kube-api/server/user.ts';
import type { Policy } from './policy.ts';

/** One role that a user holds, through one binding. */
export interface Grant {
  rules: readonly PolicyRule[];
  /** Which binding grants which role to which subject, in upstream's wording. */
  through: string;
}

export interface Grants {
  grants: Grant[];
  /** Bindings to roles that do not exist. */
  errors: string[];
}

const matches = ({ name, groups }: User, subject: Subject, bindingNamespace: string): boolean => {
  if (subject.kind === 'User') return name === subject.name;
  if (subject.kind === 'Group') return groups.includes(subject.name ?? '');
  const namespace = subject.namespace || bindingNamespace;
  return subject.kind === 'ServiceAccount' && name === `system:serviceaccount:${namespace}:${subject.name}`;
};

const describeSubject = ({ kind, name, namespace, apiGroup }: Subject): string =>
  kind === 'ServiceAccount' && !apiGroup
    ? `${kind} ${JSON.stringify(`${name}/${namespace ?? ''}`)}`
    : `${kind} ${JSON.stringify(name)}`;

const describe = ({ kind, metadata, roleRef }: ClusterRoleBinding | RoleBinding, subject: Subject): string => {
  const name = metadata.namespace ? `${metadata.name}/${metadata.namespace}` : metadata.name;
  return `${kind} ${JSON.stringify(name)} of ${roleRef?.kind} ${JSON.stringify(roleRef?.name)} to ${describeSubject(subject)}`;
};

/** The rules of the role that a binding refers to; undefined if it does not exist. */
export const rulesOfRole = (
  policy: Policy,
  { kind, name = '' }: RoleRef,
  namespace: string,
): Promise<readonly PolicyRule[] | undefined> =>
  kind === 'Role' ? policy.role(namespace, name) : policy.clusterRole(name);

/** All roles that are bound to a user: cluster-wide ones, and those in `namespace` if it is given. */
export const grantsOf = async (policy: Policy, user: User, namespace: string): Promise<Grants> => {
  const [everywhere, here] = await Promise.all([
    policy.clusterBindings(),
    namespace === '' ? [] : policy.bindings(namespace),
  ]);
  const bound = [...everywhere, ...here].flatMap((binding) => {
    const subject = binding.subjects?.find((its) => matches(user, its, binding.metadata.namespace ?? ''));
    return subject ? [{ binding, subject }] : [];
  });
  const found = await Promise.all(
    bound.map(async ({ binding, subject }) => {
      const { roleRef = {}, metadata } = binding;
      const rules = await rulesOfRole(policy, roleRef, metadata.namespace ?? '');
      if (rules) return { rules, through: describe(binding, subject) };
      return `${(roleRef.kind ?? '').toLowerCase()}.${roleRef.apiGroup} ${JSON.stringify(roleRef.name)} not found`;
    }),
  );
  return {
    grants: found.filter((grant) => typeof grant !== 'string'),
    errors: found.filter((error) => typeof error === 'string'),
  };
};
