import { describeFieldError, invalidValue } from '../field-error.ts';
import { checkLabelValue, checkQualifiedName } from '../names.ts';
import type { FieldError } from '../resource.ts';

export type Labels = Readonly<Record<string, string>>;

export type Operator = 'in' | 'notin' | 'exists' | 'missing' | '>' | '<';

/** One condition of a label selector. */
export interface Requirement {
  key: string;
  operator: Operator;
  values: readonly string[];
}

const INTEGER = /^[+-]?\d+$/;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Parses a 64-bit integer like Go. */
const integerOf = (text: string): bigint | undefined => {
  if (!INTEGER.test(text) || text.length > 20) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value >= LEAST && value <= MOST ? value : undefined;
};

const isOrder = (operator: Operator): boolean => operator === '>' || operator === '<';

const NOT_AN_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer";

/** In error messages, keys have no path. */
const keyErrors = (key: string): FieldError[] =>
  checkQualifiedName(key).map((detail) => invalidValue('<nil>', key, detail));

const valueErrors = ({ key, operator, values }: Requirement): FieldError[] => [
  ...values.flatMap((value, index) =>
    isOrder(operator) && integerOf(value) === undefined
      ? [invalidValue(`values[${index}]`, value, NOT_AN_INTEGER)]
      : [],
  ),
  ...values.flatMap((value, index) =>
    checkLabelValue(value).map((detail) => invalidValue(`values[${index}][${key}]`, value, detail)),
  ),
];

const sentence = (errors: readonly FieldError[]): string | undefined => {
  const lines = errors.map((error) => `${error.field}: ${describeFieldError(error)}`);
  return lines.length > 1 ? `[${lines.join(', ')}]` : lines[0];
};

/** Returns the error in a key as one sentence. */
export const wrongKey = (key: string): string | undefined => sentence(keyErrors(key));

/** Returns the error in the values of a requirement as one sentence. */
export const wrongValues = (requirement: Requirement): string | undefined => sentence(valueErrors(requirement));

/**
 * Returns a function that tests labels. A missing label is "not in" every set, and neither greater nor less than any
 * number.
 */
export const testOf = ({ key, operator, values }: Requirement): ((labels: Labels) => boolean) => {
  const wanted = new Set(values);
  const limit = integerOf(values[0] ?? '') ?? 0n;
  const has = (labels: Labels): boolean => Object.hasOwn(labels, key);
  const isIn = (labels: Labels): boolean => has(labels) && wanted.has(labels[key] ?? '');
  switch (operator) {
    case 'exists':
      return has;
    case 'missing':
      return (labels) => !has(labels);
    case 'in':
      return isIn;
    case 'notin':
      return (labels) => !isIn(labels);
    default:
      return (labels) => {
        const value = has(labels) ? integerOf(labels[key] ?? '') : undefined;
        return value !== undefined && (operator === '>' ? value > limit : value < limit);
      };
  }
};
