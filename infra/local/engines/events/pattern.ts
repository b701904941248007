/**
 * EventBridge event patterns, with the operators that the template uses: a field matches if one of its values is
 * listed, if it exists or not as `exists` says, or if it does not have the prefix in `anything-but`. Other operators
 * are refused with their names when the rule is created.
 */
export type EventPattern = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is EventPattern =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a value (undefined if there is none) matches an operator; undefined for an unknown operator. */
const operate = (operator: EventPattern, value: unknown): boolean | undefined => {
  if (Object.keys(operator).length !== 1) return undefined;
  if (typeof operator.exists === 'boolean') return operator.exists === (value !== undefined);
  const but = operator['anything-but'];
  if (!isTree(but) || Object.keys(but).length !== 1 || typeof but.prefix !== 'string') return undefined;
  return typeof value === 'string' && !value.startsWith(but.prefix);
};

const isKnown = (value: unknown): boolean =>
  isScalar(value) || (isTree(value) && operate(value, undefined) !== undefined);

/** Throws an Error that names unsupported parts of a pattern. */
export const checkPattern = (pattern: unknown, path = 'the event pattern'): void => {
  if (Array.isArray(pattern)) {
    const foreign = pattern.find((value) => !isKnown(value));
    if (foreign !== undefined) {
      const operator = isTree(foreign) ? Object.keys(foreign).join(', ') : JSON.stringify(foreign);
      throw new Error(`the laptop does not know "${operator}" in ${path}`);
    }
    if (pattern.length === 0) throw new Error(`${path} has an empty list`);
    return;
  }
  if (!isTree(pattern)) throw new Error(`${path} must be a list of values, not ${JSON.stringify(pattern)}`);
  for (const [key, value] of Object.entries(pattern)) {
    if (key === '$or') throw new Error(`the laptop does not know "$or" in ${path}`);
    checkPattern(value, `${path}.${key}`);
  }
};

/**
 * Whether an event matches a pattern that `checkPattern` has accepted. Fields that are not in the pattern may have any
 * value.
 */
export const matches = (pattern: unknown, event: unknown): boolean => {
  if (Array.isArray(pattern)) {
    const values: unknown[] = Array.isArray(event) ? event : [event];
    const fits = (wanted: unknown, value: unknown) => (isTree(wanted) ? operate(wanted, value) : wanted === value);
    return values.some((value) => pattern.some((wanted) => fits(wanted, value)));
  }
  // A list of objects matches if one of them does.
  if (Array.isArray(event)) return event.some((one) => matches(pattern, one));
  // A missing object has no fields, which the pattern may require.
  if (event !== undefined && !isTree(event)) return false;
  return Object.entries(pattern as EventPattern).every(([key, value]) => matches(value, event?.[key]));
};
