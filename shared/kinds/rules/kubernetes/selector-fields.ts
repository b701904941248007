import { forbiddenField, invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkLabelValue, checkQualifiedName } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { Selector, SelectorRequirement } from '../../../kube-api/webhooks/configuration.ts';

const LISTED = ['In', 'NotIn'];
const UNLISTED = ['Exists', 'DoesNotExist'];

const validateValues = ({ operator, values = [] }: SelectorRequirement, at: string): FieldError[] => {
  if (LISTED.includes(operator)) {
    const missing = "must be specified when `operator` is 'In' or 'NotIn'";
    return values.length === 0 ? [required(`${at}.values`, missing)] : [];
  }
  if (!UNLISTED.includes(operator)) return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
  const superfluous = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  return values.length > 0 ? [forbiddenField(`${at}.values`, superfluous)] : [];
};

const validateRequirement = (requirement: SelectorRequirement, at: string): FieldError[] => [
  ...validateValues(requirement, at),
  ...checkQualifiedName(requirement.key).map((fault) => invalidValue(`${at}.key`, requirement.key, fault)),
  ...(requirement.values ?? []).flatMap((value, index) =>
    checkLabelValue(value).map((fault) => invalidValue(`${at}.values[${index}]`, value, fault)),
  ),
];

/** Errors of a selector, each with its field (k8s.io/apimachinery, apis/meta/v1/validation ValidateLabelSelector). Pure. */
export const validateSelectorFields = (
  { matchLabels = {}, matchExpressions = [] }: Selector = {},
  at: string,
): FieldError[] => [
  ...Object.entries(matchLabels).flatMap(([key, value]) => [
    ...checkQualifiedName(key).map((fault) => invalidValue(`${at}.matchLabels`, key, fault)),
    ...checkLabelValue(value).map((fault) => invalidValue(`${at}.matchLabels`, value, fault)),
  ]),
  ...matchExpressions.flatMap((requirement, index) =>
    validateRequirement(requirement, `${at}.matchExpressions[${index}]`),
  ),
];
