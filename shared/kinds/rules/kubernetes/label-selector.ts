import { describeFieldError, invalidValue } from '../../../kube-api/field-error.ts';
import { checkLabelValue, checkQualifiedName } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { LabelSelector } from '../../schema/meta.ts';

interface Requirement {
  key: string;
  operator: string;
  values: readonly string[];
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** All requirements of a selector, in Kubernetes' order: by their keys. */
const requirements = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Requirement[] =>
  [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=', values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
  ].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));

type Labels = Record<string, string>;

const testOf = ({ key, operator, values }: Requirement): ((labels: Labels) => boolean) => {
  const known = new Set(values);
  switch (operator) {
    case 'Exists':
      return (labels) => labels[key] !== undefined;
    case 'DoesNotExist':
      return (labels) => labels[key] === undefined;
    case 'NotIn':
      return (labels) => labels[key] === undefined || !known.has(labels[key]);
    default:
      return (labels) => labels[key] !== undefined && known.has(labels[key]);
  }
};

/** The tests of selectors, because a selector is usually compared with many objects. */
const tests = new WeakMap<LabelSelector, readonly ((labels: Labels) => boolean)[]>();

const testsOf = (selector: LabelSelector): readonly ((labels: Labels) => boolean)[] => {
  const known = tests.get(selector) ?? requirements(selector).map(testOf);
  tests.set(selector, known);
  return known;
};

/** Whether a selector selects something with these labels; an empty one selects everything. */
export const selects = (selector: LabelSelector, labels: Labels = {}): boolean =>
  testsOf(selector).every((test) => test(labels));

const format = ({ key, operator, values }: Requirement): string => {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    default:
      return `${key}=${values[0]}`;
  }
};

/** The selector as text, as in `kubectl get -l` and in `status.selector`. */
export const formatSelector = (selector: LabelSelector): string => requirements(selector).map(format).join(',');

/** The errors in the labels of a requirement, in the form of apimachinery's NewRequirement. */
const malformedRequirement = ({ key, values }: Omit<Requirement, 'operator'>): string | undefined => {
  const errors = [
    ...checkQualifiedName(key).map((detail) => invalidValue('key', key, detail)),
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((detail) => invalidValue(`values[${index}][${key}]`, value, detail)),
    ),
  ];
  const lines = errors.map((error) => `${error.field}: ${describeFieldError(error)}`);
  return lines.length > 1 ? `[${lines.join(', ')}]` : lines[0];
};

/** Each object of a namespace may be compared with each selector in it, so requirements are limited. */
const MOST_REQUIREMENTS = 500;

/** The first invalid part of a selector, with the message of apimachinery's LabelSelectorAsSelector. */
const malformed = (selector: LabelSelector): string | undefined => {
  if (requirements(selector).length > MOST_REQUIREMENTS) return `it has more than ${MOST_REQUIREMENTS} requirements`;
  for (const requirement of requirements({ matchLabels: selector.matchLabels })) {
    const fault = malformedRequirement(requirement);
    if (fault) return fault;
  }
  return malformedExpression(selector);
};

const malformedExpression = ({ matchExpressions = [] }: LabelSelector): string | undefined => {
  for (const { key, operator, values = [] } of matchExpressions) {
    if (!OPERATORS.includes(operator)) return `"${operator}" is not a valid label selector operator`;
    const listed = operator === 'In' || operator === 'NotIn';
    if (listed && values.length === 0) return "for 'in', 'notin' operators, values set can't be empty";
    if (!listed && values.length > 0) return 'values set must be empty for exists and does not exist';
    const fault = malformedRequirement({ key, values });
    if (fault) return fault;
  }
  return undefined;
};

/** Whether the selector has no requirement, so that it selects everything. */
export const isEmptySelector = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** Whether the selector is valid. */
export const validateSelectorSyntax = (selector: LabelSelector | undefined, field: string): FieldError[] => {
  const fault = selector && malformed(selector);
  return fault ? [invalidValue(field, selector, fault)] : [];
};

/** Errors in the selector itself. If it is valid, `mismatch` is called unless it selects the template's labels. */
export const validateSelector = (
  selector: LabelSelector,
  labels: Record<string, string> | undefined,
  mismatch: (detail: string) => FieldError,
): FieldError[] => {
  const fault = malformed(selector);
  if (fault) return [invalidValue('spec.selector', selector, fault)];
  if (selects(selector, labels)) return [];
  return [mismatch(`must match spec.selector ${JSON.stringify(formatSelector(selector))}`)];
};
