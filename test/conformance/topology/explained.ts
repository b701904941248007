import { isObject } from '../../../shared/kube-api/json.ts';

/** Known differences between the two sides, and the reasons. Any other difference fails the test. */
const EXPLAINED: readonly { text: RegExp; why: string }[] = [
  {
    text: / FieldValueInvalid: <nil>: Invalid value: null: some validation rules were not checked[^;]*; [^;]*complete validation/g,
    why: 'the API server adds to an error of a custom resource that rules in CEL come later; here they are checked at once',
  },
  {
    text: /(?<=: (?:rendering template|parsing template "(?:[^"\\]|\\.)*")): .*$/g,
    why: "a template of names fails for the same reason; the text of the fault is that of Go's library on the one side",
  },
  {
    text: /: error converting YAML to JSON: .*$|: is not readable YAML: .*$/g,
    why: 'another library reads YAML, and words its errors otherwise',
  },
];

/** Removes the explained parts from a text. */
export const explained = (text: string): string =>
  EXPLAINED.reduce((all, { text: part }) => all.replaceAll(part, ''), text);

/**
 * Upstream sets a default for the reason of a variable's rule. Windlass sets no defaults in the items of lists, because
 * of kubectl.
 */
export const withoutDefaultReasons = (text: string): string => text.replaceAll(/,?"reason":"FieldValueInvalid"/g, '');

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Go also writes empty structs of v1beta1. They have no meaning, and Windlass does not write them. */
export const withoutEmptyObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmptyObjects(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
};
