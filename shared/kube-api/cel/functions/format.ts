import { checkLabelValue, checkQualifiedName, checkSubdomain } from '../../names.ts';
import { isTime } from '../../schema/validate-scalar.ts';
import { CelError, type CelValue, type Opaque, Optional } from '../value.ts';
import { type CelFunction, define } from './define.ts';
import { checkUrl } from './url-text.ts';

const REGEX_SIZES: Readonly<Record<string, number>> = {
  dns1123Subdomain: 60,
  dns1123SubdomainPrefix: 60,
  qualifiedName: 60,
  labelValue: 40,
  uri: 1103,
  uuid: 69,
  byte: 84,
  date: 71,
  datetime: 71,
};

class Format implements Opaque {
  readonly celType = 'kubernetes.NamedFormat';
  readonly check: (text: string) => string[];
  readonly title: string;
  /** The length of the regular expression that upstream's cost model charges for. */
  readonly regexSize: number;
  constructor(title: string, check: (text: string) => string[]) {
    this.title = title;
    this.check = check;
    this.regexSize = REGEX_SIZES[title] ?? 30;
  }
  equals(other: Opaque): boolean {
    return other instanceof Format && other.title === this.title;
  }
}

const LABEL_1123 =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const label = (pattern: RegExp, fault: string) => (text: string) => [
  ...(text.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(pattern.test(text) ? [] : [fault]),
];

const when = (pattern: RegExp, fault: string) => (text: string) => (pattern.test(text) ? [] : [fault]);

/** A prefix for generated names may end with a dash. */
const prefixOf = (check: (text: string) => string[]) => (text: string) =>
  check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const dns1123Label = label(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, LABEL_1123);
const dns1035Label = label(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, LABEL_1035);

/** A label that contains a dot gets only this error. */
const withoutDots = (check: (text: string) => string[]) => (text: string) =>
  text.includes('.') ? ['must not contain dots'] : check(text);

const uri = (text: string): string[] => {
  try {
    checkUrl(text);
    return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [error.message];
  }
};

const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const FORMATS: Readonly<Record<string, (text: string) => string[]>> = {
  dns1123Label: withoutDots(dns1123Label),
  dns1123Subdomain: checkSubdomain,
  dns1035Label,
  qualifiedName: checkQualifiedName,
  dns1123LabelPrefix: withoutDots(prefixOf(dns1123Label)),
  dns1123SubdomainPrefix: prefixOf(checkSubdomain),
  dns1035LabelPrefix: prefixOf(dns1035Label),
  labelValue: checkLabelValue,
  uri,
  uuid: when(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i, 'does not match the UUID format'),
  byte: when(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/, 'invalid base64'),
  date: (text) => (isDate(text) ? [] : ['invalid date']),
  datetime: (text) => (isTime(text) ? [] : ['invalid datetime']),
};

const formats = new Map(Object.entries(FORMATS).map(([name, check]) => [name, new Format(name, check)]));

const validate = (format: CelValue, text?: CelValue): CelValue | undefined => {
  if (!(format instanceof Format) || typeof text !== 'string') return undefined;
  const faults = format.check(text);
  return new Optional(faults.length > 0 ? faults : undefined);
};

/** Kubernetes' library of named formats (k8s.io/apiserver/pkg/cel/library/format.go). */
export const formatFunctions: readonly CelFunction[] = [
  define('format.named', (_, name) => (typeof name === 'string' ? new Optional(formats.get(name)) : undefined)),
  ...[...formats].map(([name, format]) => define(`format.${name}`, () => format)),
  define('.validate', validate),
];
