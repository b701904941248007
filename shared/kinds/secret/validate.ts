import { invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { decodedBytes, validateImmutable, validateKeys, validateSize } from '../rules/kubernetes/data.ts';
import type { Secret } from './schema.ts';

/** Required keys in Secrets of Kubernetes' own types. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
]);

const SERVICE_ACCOUNT = 'kubernetes.io/service-account.name';

/** Types whose key has a JSON value. */
const JSON_TYPES = ['kubernetes.io/dockercfg', 'kubernetes.io/dockerconfigjson'];

const isJson = (base64: string): boolean => {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
    return true;
  } catch {
    return false;
  }
};

const validateJson = ({ type = '', data = {} }: Secret): FieldError[] =>
  (JSON_TYPES.includes(type) ? (KEYS.get(type) ?? []) : [])
    .filter((key) => !isJson(data[key] ?? ''))
    .map((key) => invalidValue(`data[${key}]`, '<secret contents redacted>', 'must be JSON'));

const isPresent = (data: Record<string, string>, key: string): boolean => data[key] !== undefined;

const validateContent = (secret: Secret): FieldError[] => {
  const { type = '', data = {}, metadata } = secret;
  const missing = (KEYS.get(type) ?? []).filter((key) => !isPresent(data, key)).map((key) => required(`data[${key}]`));
  if (type === 'kubernetes.io/basic-auth' && !isPresent(data, 'username') && !isPresent(data, 'password')) {
    return [required('data[username]'), required('data[password]')];
  }
  if (type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[SERVICE_ACCOUNT]) {
    return [required(`metadata.annotations[${SERVICE_ACCOUNT}]`)];
  }
  return missing.length > 0 ? missing : validateJson(secret);
};

/** Kubernetes' rules for Secrets. No error shows a value. */
export const validateSecret = (secret: Secret, old: Secret | undefined): FieldError[] => {
  const { data = {}, type } = secret;
  const size = Object.values(data).reduce((sum, value) => sum + decodedBytes(value), 0);
  return [
    ...validateKeys(data, 'data'),
    ...validateSize(size, 'data'),
    ...validateContent(secret),
    ...(old && old.type !== type ? [invalidValue('type', type, 'field is immutable')] : []),
    ...validateImmutable(secret, old, ['data']),
  ];
};
