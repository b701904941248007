import { invalidValue, required } from '../../../kube-api/field-error.ts';
import type { MatchResources } from '../../../kube-api/policies/policy.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { Rule } from '../../../kube-api/webhooks/configuration.ts';
import { oneOf, validateAdmissionRule } from './admission-rules.ts';
import { validateSelectorFields } from './selector-fields.ts';

/** Errors of a name as a segment of a path (k8s.io/apimachinery, api/validation/path). Pure. */
export const checkSegment = (name: string): string[] => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

const validateRule = (rule: Rule, at: string): FieldError[] => {
  const names = rule.resourceNames ?? [];
  return [
    ...names.flatMap((name, index): FieldError[] => {
      const field = `${at}.resourceNames[${index}]`;
      const isRepeated = names.indexOf(name) < index;
      return [
        ...checkSegment(name).map((fault) => invalidValue(field, name, fault)),
        ...(isRepeated ? [{ type: 'FieldValueDuplicate', field, badValue: name, detail: '' } as const] : []),
      ];
    }),
    ...validateAdmissionRule(rule, at),
  ];
};

/** Errors of what a policy or a binding matches. Pure. */
export const validateMatchResources = (match: MatchResources, at: string): FieldError[] => {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...(matchPolicy === undefined ? [required(`${at}.matchPolicy`)] : []),
    ...oneOf(`${at}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']),
    ...validateSelectorFields(namespaceSelector, `${at}.namespaceSelector`),
    ...validateSelectorFields(objectSelector, `${at}.objectSelector`),
    ...resourceRules.flatMap((rule, index) => validateRule(rule, `${at}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) => validateRule(rule, `${at}.excludeResourceRules[${index}]`)),
  ];
};

const withScope = (rule: Rule): Rule => ({ ...rule, scope: rule.scope ?? '*' });

const scoped = (rules: Rule[] | undefined): Rule[] | undefined =>
  rules && rules.length > 0 ? rules.map(withScope) : undefined;

/** Sets upstream's defaults. Pure. */
export const defaultMatchResources = (match: MatchResources): MatchResources => {
  const { resourceRules: _, excludeResourceRules: __, ...rest } = match;
  const [rules, excluded] = [scoped(match.resourceRules), scoped(match.excludeResourceRules)];
  return {
    ...rest,
    matchPolicy: match.matchPolicy ?? 'Equivalent',
    namespaceSelector: match.namespaceSelector ?? {},
    objectSelector: match.objectSelector ?? {},
    ...(rules ? { resourceRules: rules } : {}),
    ...(excluded ? { excludeResourceRules: excluded } : {}),
  };
};
