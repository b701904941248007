import { invalidValue, required } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { Rule } from '../../../kube-api/webhooks/configuration.ts';

/** Rules for admission rules (k8s.io/kubernetes, pkg/apis/admissionregistration/validation). */

const notSupported = (field: string, badValue: string, allowed: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  badValue,
  detail: `supported values: ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
});

export const oneOf = (field: string, value: string | undefined, allowed: readonly string[]): FieldError[] =>
  value === undefined || allowed.includes(value) ? [] : [notSupported(field, value, allowed)];

const ANY = '*';

const alone = (field: string, values: readonly string[], what: string): FieldError[] =>
  values.length > 1 && values.includes(ANY)
    ? [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)]
    : [];

const someOf = (field: string, values: readonly string[], what: string): FieldError[] =>
  values.length === 0 ? [required(field)] : alone(field, values, what);

const emptyItems = (field: string, values: readonly string[]): FieldError[] =>
  values.flatMap((value, index) => (value === '' ? [required(`${field}[${index}]`)] : []));

const validateItems = (field: string, resources: readonly string[]): FieldError[] => {
  const allSubresourcesOf = new Set<string>();
  const ofAllResources = new Set<string>();
  return resources.flatMap((item, index) => {
    if (item === '') return [required(`${field}[${index}]`)];
    const slash = item.indexOf('/');
    if (slash < 0) return [];
    const [resource, subresource] = [item.slice(0, slash), item.slice(slash + 1)];
    const covered = (by: string): FieldError =>
      invalidValue(`${field}[${index}]`, item, `if '${by}' is present, must not specify ${item}`);
    const errors = [
      ...(allSubresourcesOf.has(resource) ? [covered(`${resource}/*`)] : []),
      ...(ofAllResources.has(subresource) ? [covered(`*/${subresource}`)] : []),
    ];
    if (subresource === ANY) allSubresourcesOf.add(resource);
    if (resource === ANY) ofAllResources.add(subresource);
    return errors;
  });
};

const validateResources = (field: string, resources: readonly string[]): FieldError[] => {
  const plain = resources.filter((item) => item !== '' && item !== ANY && !item.includes('/'));
  const isPlainLast = resources.findLast((item) => item !== '' && !item.includes('/')) !== ANY;
  return [
    ...(resources.length === 0 ? [required(field)] : []),
    ...validateItems(field, resources),
    ...(resources.length > 1 && resources.includes('*/*')
      ? [invalidValue(field, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    // Upstream only remembers the last one.
    ...(resources.includes(ANY) && plain.length > 0 && isPlainLast
      ? [invalidValue(field, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
};

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Errors of one rule. Pure. */
export const validateAdmissionRule = (rule: Rule, at: string): FieldError[] => {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  return [
    ...someOf(`${at}.operations`, operations, 'operations'),
    ...operations.flatMap((operation, index) => oneOf(`${at}.operations[${index}]`, operation, OPERATIONS)),
    ...someOf(`${at}.apiGroups`, apiGroups, 'API groups'),
    ...someOf(`${at}.apiVersions`, apiVersions, 'API versions'),
    ...emptyItems(`${at}.apiVersions`, apiVersions),
    ...validateResources(`${at}.resources`, resources),
    ...oneOf(`${at}.scope`, scope, SCOPES),
  ];
};
