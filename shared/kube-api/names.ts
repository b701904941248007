import type { Random } from '../random.ts';
import type { ResourceId } from './object.ts';

/**
 * Rules for names, label keys and values, with the wording of k8s.io/apimachinery/pkg/util/validation. Each check
 * returns the error, as the detail of an `Invalid value` error, or nothing.
 */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${QUALIFIED})?`;

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const LABEL_ONLY = whole(LABEL);
const SUBDOMAIN_ONLY = whole(SUBDOMAIN);
const QUALIFIED_ONLY = whole(QUALIFIED);
const VALUE_ONLY = whole(VALUE);

const hint = (pattern: string, ...examples: string[]): string =>
  `(e.g. ${examples.map((example) => `'${example}'`).join(',  or ')}, regex used for validation is '${pattern}')`;
const tooLong = (most: number): string => `must be no more than ${most} bytes`;

export const checkSubdomain = (name: string): string[] => [
  ...(name.length > 253 ? ['must be no more than 253 characters'] : []),
  ...(SUBDOMAIN_ONLY.test(name)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ${hint(SUBDOMAIN, 'example.com')}`,
      ]),
];

/** A label of DNS, such as the name of a namespace: a subdomain without dots. */
export const checkDnsLabel = (name: string): string[] => {
  const length = name.length > 63 ? ['must be no more than 63 characters'] : [];
  if (LABEL_ONLY.test(name)) return length;
  if (SUBDOMAIN_ONLY.test(name)) return [...length, 'must not contain dots'];
  const form = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character ${hint(LABEL, 'my-name', '123-abc')}`;
  return [...length, form];
};

const DNS_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const DNS_1035_ONLY = whole(DNS_1035);

/** A label of DNS that begins with a letter, such as the plural of a kind. */
export const checkDns1035Label = (name: string): string[] => [
  ...(name.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(DNS_1035_ONLY.test(name)
    ? []
    : [
        `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character ${hint(DNS_1035, 'my-name', 'abc-123')}`,
      ]),
];

/** Names that only have to be valid in a URL path, such as those of RBAC objects (`system:node`) and of events. */
export const checkPathSegment = (name: string): string[] =>
  name === '.' || name === '..' ? [`may not be '${name}'`] : checkPathPrefix(name);

/** What names that are valid in a URL path may begin with. */
export const checkPathPrefix = (base: string): string[] =>
  ['/', '%'].filter((part) => base.includes(part)).map((part) => `may not contain '${part}'`);

/** The rule for object names of a resource type. */
export const checkName = ({ group, plural }: ResourceId, name: string): string[] => {
  if (group === 'rbac.authorization.k8s.io' || (group === '' && plural === 'events')) return checkPathSegment(name);
  return group === '' && plural === 'namespaces' ? checkDnsLabel(name) : checkSubdomain(name);
};

/** The rule for the characters of names: a prefix may end with a dash. */
export const checkGenerateName = (resource: ResourceId, base: string): string[] =>
  checkName(resource, base.length > 1 && base.endsWith('-') ? `${base.slice(0, -2)}a` : base);

/** Keys of labels and annotations, and finalizers: `[prefix/]name`. */
export const checkQualifiedName = (key: string): string[] => {
  const parts = key.split('/');
  const [prefix, name] = parts.length === 1 ? [undefined, key] : [parts[0] ?? '', parts[1] ?? ''];
  const form = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${hint(QUALIFIED, 'MyName', 'my.name', '123-abc')}`;
  if (parts.length > 2) {
    return [`a valid label key ${form} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefixErrors = prefix === undefined ? [] : prefix === '' ? ['must be non-empty'] : checkSubdomain(prefix);
  const nameErrors = [
    ...(name === '' ? ['must be non-empty'] : []),
    ...(name.length > 63 ? [tooLong(63)] : []),
    ...(QUALIFIED_ONLY.test(name) ? [] : [form]),
  ];
  return [...prefixErrors.map((error) => `prefix part ${error}`), ...nameErrors.map((error) => `name part ${error}`)];
};

export const checkLabelValue = (value: string): string[] => [
  ...(value.length > 63 ? [tooLong(63)] : []),
  ...(VALUE_ONLY.test(value)
    ? []
    : [
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${hint(VALUE, 'MyValue', 'my_value', '12345')}`,
      ]),
];

/** No vowels and no digits that look like letters, so that no words are formed. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** A name made of `generateName` and five random characters; a long base is cut so that 63 characters are kept. */
export const generateName = (base: string, random: Random): string => {
  const suffix = [...random.bytes(SUFFIX_LENGTH)].map((byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]);
  return base.slice(0, 63 - SUFFIX_LENGTH) + suffix.join('');
};
