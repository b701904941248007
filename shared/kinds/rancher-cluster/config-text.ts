import { readYaml } from '../../decode/yaml.ts';
import { isObject } from '../../kube-api/json.ts';
import { readSecretName, type SecretName, secretText } from './names.ts';

/** The value of a `cluster.yml`; undefined if it is not YAML. RKE parses it as Go does. */
export const readConfigText = (text: string): unknown => {
  try {
    return readYaml(text, { version: '1.1' });
  } catch {
    return undefined;
  }
};

type Path = readonly (string | number)[];

/** Every field with a value that is neither an object nor a list, with its path. */
function* leaves(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* leaves(member, [...path, key]);
  else yield [path, value];
}

/** `nodes[0].ssh_key`. */
export const fieldOf = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');

/** RKE's fields whose value is itself a secret. */
const SECRET_FIELDS: readonly string[] = ['ssh_key', 'password', 'secret', 'secret_key', 'access_key'];

/** The fields that contain a secret: a Cluster must not contain any. */
export const inlineSecrets = (text: string): string[] =>
  [...leaves(readConfigText(text))]
    .filter(([path, value]) => SECRET_FIELDS.includes(String(path.at(-1))) && typeof value === 'string' && value !== '')
    .map(([path]) => fieldOf(path));

/**
 * The Secrets to which a configuration refers, anywhere in it and regardless of other errors: a user who cannot read a
 * Secret must not refer to it.
 */
export const secretsNamedIn = (text: string): SecretName[] => {
  const all = [...leaves(readConfigText(text))]
    .filter(([path]) => path.at(-1) === 'ssh_key_path')
    .flatMap(([, value]) => (typeof value === 'string' ? (readSecretName(value) ?? []) : []));
  return [...new Map(all.map((one) => [secretText(one), one])).values()];
};
