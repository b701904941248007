import { forbiddenField, invalidValue, required } from '../field-error.ts';
import { isObject, type JsonObject } from '../json.ts';
import { checkLabelValue, checkQualifiedName } from '../names.ts';
import type { ObjectMeta } from '../object.ts';
import type { FieldError } from '../resource.ts';
import type { AccessSpec, Review, SelectorAttributes } from './review-kinds.ts';

/** The errors in a review of access (k8s.io/kubernetes pkg/apis/authorization/validation). */
export const errorsOfAccess = (found: Review, metadata: ObjectMeta, spec: AccessSpec): FieldError[] => [
  ...errorsOfSubject(found, spec),
  ...errorsOfSelectors(spec),
  ...errorsOfMetadata(found, metadata),
];

const MISSING = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

/** In the form in which the type is printed by upstream's program. */
const shown = ({ path = '', verb = '' }: JsonObject) => ({ Path: path, Verb: verb });

const errorsOfSubject = ({ kind, namespace }: Review, spec: AccessSpec): FieldError[] => {
  const { resourceAttributes: onResource, nonResourceAttributes, user = '', groups = [] } = spec;
  const field = 'spec.nonResourceAttributes';
  const isLocal = kind === 'LocalSubjectAccessReview';
  const onPath = nonResourceAttributes && shown(nonResourceAttributes);
  const isNobody = kind !== 'SelfSubjectAccessReview' && user === '' && groups.length === 0;
  const stated = onResource?.namespace ?? '';
  return [
    ...(onPath && onResource
      ? [invalidValue(field, onPath, 'cannot be specified in combination with resourceAttributes')]
      : []),
    ...(onPath || onResource ? [] : [invalidValue('spec.resourceAttributes', null, MISSING)]),
    ...(isNobody ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []),
    ...(isLocal && onResource && stated !== namespace
      ? [invalidValue('spec.resourceAttributes.namespace', stated, 'must match metadata.namespace')]
      : []),
    ...(isLocal && onPath ? [invalidValue(field, onPath, 'disallowed on this kind of request')] : []),
  ];
};

/** In the order of Go's struct. */
const errorsOfMetadata = (
  { kind, namespaced }: Review,
  { name, generateName, namespace, uid, ...rest }: ObjectMeta,
): FieldError[] => {
  const members = Object.entries({ name, generateName, namespace, uid, ...rest });
  // Go's clients send zero values, including in protobuf.
  const given: JsonObject = Object.fromEntries(members.filter(([, value]) => Boolean(value)));
  const { namespace: _, ...others } = given;
  const isRefused = kind !== 'SelfSubjectRulesReview' && Object.keys(others).length > 0;
  return isRefused
    ? [invalidValue('metadata', given, namespaced ? 'must be empty except for namespace' : 'must be empty')]
    : [];
};

const SELECTORS = ['fieldSelector', 'labelSelector'] as const;

const errorsOfSelectors = ({ resourceAttributes = {} }: AccessSpec): FieldError[] =>
  SELECTORS.flatMap((member) => {
    const selector = resourceAttributes[member];
    return selector ? errorsOfSelector(selector, member) : [];
  });

/** A selector is given as text or by its requirements. */
const errorsOfSelector = (
  { rawSelector = '', requirements = [] }: SelectorAttributes,
  member: (typeof SELECTORS)[number],
): FieldError[] => {
  const field = `spec.resourceAttributes.${member}`;
  if (rawSelector !== '' && requirements.length > 0) {
    return [invalidValue(`${field}.rawSelector`, rawSelector, 'may not specified at the same time as requirements')];
  }
  if (rawSelector === '' && requirements.length === 0) {
    return [required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`)];
  }
  return requirements.flatMap((requirement, index) =>
    errorsOfRequirement(requirement, { at: `${field}.requirements[${index}]`, isLabel: member === 'labelSelector' }),
  );
};

const errorsOfRequirement = (
  { key = '', operator = '', values = [] }: NonNullable<SelectorAttributes['requirements']>[number],
  { at, isLabel }: { at: string; isLabel: boolean },
): FieldError[] => {
  const isSet = ['In', 'NotIn'].includes(operator);
  const isPresence = ['Exists', 'DoesNotExist'].includes(operator);
  const keys = isLabel ? checkQualifiedName(key).map((detail) => invalidValue(`${at}.key`, key, detail)) : [];
  return [
    ...(isSet && values.length === 0
      ? [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
      : []),
    ...(isPresence && values.length > 0
      ? [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
      : []),
    ...keys,
    ...(!isLabel && key === '' ? [required(`${at}.key`, 'must be specified')] : []),
    ...(isLabel ? values : []).flatMap((value, index) =>
      checkLabelValue(value).map((detail) => invalidValue(`${at}.values[${index}]`, value, detail)),
    ),
  ];
};

/** The set fields of the spec, without those that Go omits. */
export const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([, member]) => member !== '' && !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutEmpty(member)]));
};
