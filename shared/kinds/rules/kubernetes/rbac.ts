import { invalidValue, required } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { PolicyRule, RoleSelector } from '../../schema/rbac.ts';

/** Kubernetes' rules for roles (k8s.io/kubernetes pkg/apis/rbac/validation). */

type Scope = 'namespaced' | 'cluster-wide';

const isEmpty = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

const validatePaths = (rule: PolicyRule, field: string, scope: Scope): FieldError[] => {
  const refuse = (detail: string) => invalidValue(`${field}.nonResourceURLs`, rule.nonResourceURLs, detail);
  const mixed = [rule.apiGroups, rule.resources, rule.resourceNames].some((list) => !isEmpty(list));
  return [
    ...(scope === 'namespaced' ? [refuse('namespaced rules cannot apply to non-resource URLs')] : []),
    ...(mixed ? [refuse('rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
};

const validateResources = ({ apiGroups, resources }: PolicyRule, field: string): FieldError[] => [
  ...(isEmpty(apiGroups) ? [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')] : []),
  ...(isEmpty(resources) ? [required(`${field}.resources`, 'resource rules must supply at least one resource')] : []),
];

const validateRule = (rule: PolicyRule, field: string, scope: Scope): FieldError[] => [
  ...(isEmpty(rule.verbs) ? [required(`${field}.verbs`, 'verbs must contain at least one value')] : []),
  ...(isEmpty(rule.nonResourceURLs) ? validateResources(rule, field) : validatePaths(rule, field, scope)),
];

export const validateRules = (rules: readonly PolicyRule[] = [], scope: Scope): FieldError[] =>
  rules.flatMap((rule, index) => validateRule(rule, `rules[${index}]`, scope));

const LISTING = ['In', 'NotIn'];
const OPERATORS = [...LISTING, 'Exists', 'DoesNotExist'];

const validateSelector = ({ matchExpressions = [] }: RoleSelector, field: string): FieldError[] =>
  matchExpressions.flatMap(({ operator, values = [] }, index) => {
    const at = `${field}.matchExpressions[${index}]`;
    if (!OPERATORS.includes(operator))
      return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
    const lists = LISTING.includes(operator);
    if (lists && values.length === 0)
      return [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    if (lists || values.length === 0) return [];
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [{ type: 'FieldValueForbidden', field: `${at}.values`, detail }];
  });

export const validateAggregation = (rule: { clusterRoleSelectors?: RoleSelector[] } | undefined): FieldError[] => {
  if (rule === undefined) return [];
  const { clusterRoleSelectors: selectors = [] } = rule;
  const field = 'aggregationRule.clusterRoleSelectors';
  if (selectors.length === 0)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, index) => validateSelector(selector, `${field}[${index}]`));
};
