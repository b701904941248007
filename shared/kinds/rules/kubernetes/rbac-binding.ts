import { isDeepStrictEqual } from 'node:util';
import { invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkName, checkSubdomain } from '../../../kube-api/names.ts';
import type { KubeObject } from '../../../kube-api/object.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { RBAC_GROUP, type RoleRef, type Subject } from '../../schema/rbac.ts';

/** Kubernetes' defaults and rules for bindings (k8s.io/kubernetes pkg/apis/rbac). */

interface Binding extends KubeObject {
  subjects?: Subject[];
  roleRef?: RoleRef;
}

const PEOPLE = ['User', 'Group'];
const SUBJECTS = ['ServiceAccount', ...PEOPLE];

const defaultSubject = (subject: Subject): Subject =>
  subject.apiGroup === undefined && PEOPLE.includes(subject.kind ?? '')
    ? { ...subject, apiGroup: RBAC_GROUP }
    : subject;

/** Sets the group of references that have none: there is only one possibility. Go omits an empty list. */
export const defaultBinding = <T extends Binding>({ subjects = [], ...binding }: T): T =>
  ({
    ...binding,
    ...(subjects.length > 0 ? { subjects: subjects.map(defaultSubject) } : {}),
    roleRef: { apiGroup: RBAC_GROUP, ...binding.roleRef },
  }) as T;

const unsupported = (field: string, badValue: string, allowed: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  badValue,
  detail: `supported values: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
});

const oneOf = (field: string, value: string, allowed: readonly string[]): FieldError[] =>
  allowed.includes(value) ? [] : [unsupported(field, value, allowed)];

const validateRoleRef = ({ apiGroup = '', kind = '', name = '' }: RoleRef, kinds: readonly string[]): FieldError[] => [
  ...oneOf('roleRef.apiGroup', apiGroup, [RBAC_GROUP]),
  ...oneOf('roleRef.kind', kind, kinds),
  ...(name === ''
    ? [required('roleRef.name')]
    : checkName({ group: RBAC_GROUP, plural: 'roles' }, name).map((detail) =>
        invalidValue('roleRef.name', name, detail),
      )),
];

const validateServiceAccount = (
  { apiGroup = '', name = '', namespace = '' }: Subject,
  field: string,
  isNamespaced: boolean,
): FieldError[] => [
  ...(name === '' ? [] : checkSubdomain(name).map((detail) => invalidValue(`${field}.name`, name, detail))),
  ...oneOf(`${field}.apiGroup`, apiGroup, ['']),
  ...(isNamespaced || namespace !== '' ? [] : [required(`${field}.namespace`)]),
];

const validateSubject = (subject: Subject, field: string, isNamespaced: boolean): FieldError[] => {
  const { kind = '', apiGroup = '', name = '' } = subject;
  const missing = name === '' ? [required(`${field}.name`)] : [];
  if (kind === 'ServiceAccount') return [...missing, ...validateServiceAccount(subject, field, isNamespaced)];
  if (PEOPLE.includes(kind)) return [...missing, ...oneOf(`${field}.apiGroup`, apiGroup, [RBAC_GROUP])];
  return [...missing, unsupported(`${field}.kind`, kind, SUBJECTS)];
};

/** The errors in a binding; `kinds` are those of the roles to which it may refer. The bound role cannot change. */
export const validateBinding = (binding: Binding, old: Binding | undefined, kinds: readonly string[]): FieldError[] => {
  const { roleRef = {}, subjects = [], kind } = binding;
  const moved = old !== undefined && !isDeepStrictEqual(roleRef, old.roleRef);
  return [
    ...validateRoleRef(roleRef, kinds),
    ...subjects.flatMap((subject, index) => validateSubject(subject, `subjects[${index}]`, kind === 'RoleBinding')),
    ...(moved ? [invalidValue('roleRef', roleRef, 'cannot change roleRef')] : []),
  ];
};
