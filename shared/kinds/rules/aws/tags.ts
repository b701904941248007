import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

const FIELD = 'additionalTags';
const CHARACTERS = /^[a-zA-Z0-9\s_.:=+\-@/]*$/;
const WRONG_CHARACTERS = 'cannot have characters other than alphabets, numbers, spaces and _ . : / = + - @ .';

const faultsOfKey = (key: string): string[] => [
  ...(key === '' ? ['key cannot be empty'] : []),
  ...(key.length > 128 ? ['key cannot be longer than 128 characters'] : []),
  ...(key.startsWith('aws:') ? ["user created tag's key cannot have prefix aws:"] : []),
  ...(CHARACTERS.test(key) ? [] : [`key ${WRONG_CHARACTERS}`]),
];

const faultsOfValue = (value: string): string[] => [
  ...(value.length > 256 ? ['value cannot be longer than 256 characters'] : []),
  ...(CHARACTERS.test(value) ? [] : [`value ${WRONG_CHARACTERS}`]),
];

/** AWS's own rules for tags, checked early (CAPA's api/v1beta2/tags.go). */
export const validateTags = (tags: Record<string, string> = {}, spec: string): FieldError[] => {
  const field = `${spec}.${FIELD}`;
  const isTooMany = Object.keys(tags).length > 50;
  return [
    ...Object.entries(tags).flatMap(([key, value]) => [
      ...faultsOfKey(key).map((detail) => invalidValue(field, key, detail)),
      ...faultsOfValue(value).map((detail) => invalidValue(field, value, detail)),
    ]),
    ...(isTooMany ? [invalidValue(field, tags, 'user created tags cannot be more than 50')] : []),
  ];
};

/** Printable ASCII that neither starts nor ends with a space. */
const KEY_NAME = /^[!-~]([ -~]*[!-~])?$/;

/** Absent means the key pair `default`, empty means none. */
export const validateSshKeyName = (name: string | undefined, spec: string): FieldError[] => {
  if (!name || KEY_NAME.test(name)) return [];
  const detail = 'Name is invalid. Must be specified in ASCII and must not start or end in whitespace';
  return [invalidValue(`${spec}.sshKeyName`, name, detail)];
};
