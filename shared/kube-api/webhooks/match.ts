import type { KubeObject } from '../object.ts';
import type { Operation } from '../registry/admission-control.ts';
import { isNamespaces } from '../registry/namespaces.ts';
import type { ResourceDefinition } from '../resource.ts';
import { type Requirement, testOf } from '../selectors/requirement.ts';
import { ADMISSION_GROUP, type Rule, type Selector } from './configuration.ts';
import type { Form, GroupVersionResource } from './form.ts';

/** The request that rules are matched against. */
export interface Subject {
  operation: Operation;
  resource: ResourceDefinition;
  subresource: string | undefined;
  /** The name of the object; empty if it is not known yet. */
  name: string;
}

const ANY = '*';

const includes = (list: readonly string[] = [], value: string): boolean => list.includes(ANY) || list.includes(value);

const matchesScope = (scope: string | undefined, { resource }: Subject): boolean => {
  if (scope === 'Namespaced') return resource.namespaced;
  return scope === 'Cluster' ? !resource.namespaced : true;
};

const matchesResource = (wanted: string, plural: string, subresource: string): boolean => {
  const [of = '', sub = ''] = wanted.split('/', 2);
  return (of === ANY || of === plural) && (sub === ANY || sub === subresource);
};

const hasName = ({ resourceNames = [] }: Rule, { name }: Subject): boolean =>
  resourceNames.length === 0 || resourceNames.includes(name);

const matchesRule = (rule: Rule, of: GroupVersionResource, subject: Subject): boolean =>
  matchesScope(rule.scope, subject) &&
  includes(rule.operations, subject.operation) &&
  includes(rule.apiGroups, of.group) &&
  includes(rule.apiVersions, of.version) &&
  hasName(rule, subject) &&
  (rule.resources ?? []).some((wanted) => matchesResource(wanted, of.resource, subject.subresource ?? ''));

interface Matching {
  rules?: readonly Rule[];
  matchPolicy?: string;
}

/**
 * Returns the form that the rules match: that of the request or, with the policy Equivalent, that of another version
 * that a rule names. Admission configurations match no rule, so that a faulty one cannot keep an admin from repairing
 * it (k8s.io/apiserver, plugin/webhook/generic and predicates/rules). Pure.
 */
export const matchedForm = (
  { rules = [], matchPolicy }: Matching,
  forms: readonly Form[],
  subject: Subject,
): Form | undefined => {
  if (subject.resource.group === ADMISSION_GROUP) return undefined;
  const [requested, ...equivalent] = forms;
  if (requested && rules.some((rule) => matchesRule(rule, requested.resource, subject))) return requested;
  if (matchPolicy === 'Exact') return undefined;
  for (const rule of rules) {
    const form = equivalent.find(({ resource }) => matchesRule(rule, resource, subject));
    if (form) return form;
  }
  return undefined;
};

const OPERATORS: Readonly<Record<string, Requirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'missing',
};

/** Reports whether a selector matches these labels; an empty selector matches everything. */
export const selects = (
  { matchLabels = {}, matchExpressions = [] }: Selector = {},
  labels: Readonly<Record<string, string>> = {},
): boolean => {
  const requirements: Requirement[] = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'in' as const, values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({
      key,
      operator: OPERATORS[operator] ?? 'in',
      values,
    })),
  ];
  return requirements.every((requirement) => testOf(requirement)(labels));
};

/** Reports whether a selector is missing or empty, and so matches everything. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: Selector = {}): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/**
 * Returns the labels of the request's namespace, or undefined if it does not exist. Not called for cluster-scoped
 * objects, which every namespace selector matches.
 */
export type NamespaceLabels = () => Promise<Readonly<Record<string, string>> | undefined>;

/** Reports whether the object's namespace matches. A Namespace is matched by its own new labels. */
export const selectsNamespace = async (
  selector: Selector | undefined,
  { resource }: Subject,
  object: KubeObject | undefined,
  labelsOf: NamespaceLabels,
): Promise<boolean> => {
  if (isEmptySelector(selector)) return true;
  if (isNamespaces(resource)) return selects(selector, object?.metadata.labels);
  if (!resource.namespaced) return true;
  return selects(selector, (await labelsOf()) ?? {});
};
