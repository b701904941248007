import { parseFieldTerms } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { StatusError } from '../status-error.ts';
import type { AccessSpec, SelectorAttributes } from './review-kinds.ts';

/**
 * If upstream cannot parse a selector, it decides as if there were none, and reports that. No authorizer here uses
 * selectors: they could only allow more.
 */
export const evaluationErrorOf = ({ resourceAttributes = {} }: AccessSpec): string | undefined => {
  const { labelSelector, fieldSelector } = resourceAttributes;
  const ignored = [
    ...(fieldSelector && !isReadableField(fieldSelector) ? ['fieldSelector'] : []),
    ...(labelSelector && !isReadableLabel(labelSelector) ? ['labelSelector'] : []),
  ].map((member) => `spec.resourceAttributes.${member} ignored due to parse error`);
  return ignored.length > 0 ? ignored.join('; ') : undefined;
};

const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

const isReadableLabel = ({ rawSelector = '', requirements = [] }: SelectorAttributes): boolean =>
  succeeds(() => parseLabelSelector(rawSelector)) &&
  requirements.every(({ operator = '' }) => LABEL_OPERATORS.includes(operator));

/** A field has one value and always exists. */
const isReadableField = ({ rawSelector = '', requirements = [] }: SelectorAttributes): boolean =>
  succeeds(() => parseFieldTerms(rawSelector)) &&
  requirements.every(({ operator = '', values = [] }) => ['In', 'NotIn'].includes(operator) && values.length === 1);

const succeeds = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
};
