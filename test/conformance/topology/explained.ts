import { isObject } from '../../../shared/kube-api/json.ts';

/** Known differences between the two sides, and why. Any other difference fails. */
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

/** A text without its explained parts. */
export const explained = (text: string): string =>
  EXPLAINED.reduce((all, { text: part }) => all.replaceAll(part, ''), text);

/** Upstream defaults the reason of a rule of a variable; items of lists have no defaults here, for kubectl's sake. */
export const withoutDefaultReasons = (text: string): string => text.replaceAll(/,?"reason":"FieldValueInvalid"/g, '');

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Go also writes empty structs of v1beta1; they have no meaning, and are not written here. */
export const withoutEmptyObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmptyObjects(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
};
