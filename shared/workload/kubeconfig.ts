/**
 * The few fields of a kubeconfig that are read. A tenant can write the Secret `<cluster>-kubeconfig`, and a kubeconfig
 * can name programs to run, files to read and proxies to use. All of these are refused by name, and no message quotes a
 * value.
 */
import * as z from 'zod';
import { UnreadableError } from '../decode/unreadable.ts';
import { readYaml } from '../decode/yaml.ts';
import { isObject } from '../kube-api/json.ts';

/** A kubeconfig that cannot be used. `field` is a path into it, and the message says what to do. */
export class KubeconfigRefusedError extends Error {
  override readonly name = 'KubeconfigRefused';
  readonly field: string;
  constructor(field: string, problem: string) {
    super(field === '' ? problem : `${field} ${problem}`);
    this.field = field;
  }
}

const INLINE = 'put its content, base64-encoded, into';
const NEVER = 'is not supported: remove it';

/** Fields that are refused by name, with what to do instead. */
const REFUSALS: Readonly<Record<string, string>> = {
  'certificate-authority': `names a file, which is not read: ${INLINE} certificate-authority-data`,
  'insecure-skip-tls-verify': 'is refused: remove it, and set certificate-authority-data',
  'proxy-url': `${NEVER}; the server has to be reachable without a proxy`,
  'tls-server-name': `${NEVER}; the server's certificate has to be valid for the host of server`,
  exec: 'names a program, which is not run: use client-certificate-data and client-key-data, or token',
  'auth-provider': 'is not supported: use client-certificate-data and client-key-data, or token',
  'client-certificate': `names a file, which is not read: ${INLINE} client-certificate-data`,
  'client-key': `names a file, which is not read: ${INLINE} client-key-data`,
  tokenFile: 'names a file, which is not read: put the token into token',
  'token-file': 'names a file, which is not read: put the token into token',
  username: 'is not supported: use client-certificate-data and client-key-data, or token',
  password: 'is not supported: use client-certificate-data and client-key-data, or token',
  as: 'is not supported: remove it; the credentials have to be those of the user who is meant',
  'as-uid': 'is not supported: remove it; the credentials have to be those of the user who is meant',
  'as-groups': 'is not supported: remove it; the credentials have to be those of the user who is meant',
  'as-user-extra': 'is not supported: remove it; the credentials have to be those of the user who is meant',
};

const EMPTY: readonly unknown[] = [undefined, null, '', false];

/** Fields with an empty value, which some tools write, count as absent. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const filled = Object.entries(value).filter(([, field]) => !EMPTY.includes(field));
  return Object.fromEntries(filled.map(([name, field]) => [name, withoutEmpty(field)]));
};

/** With several entries it would be unclear which one is meant. */
const onlyOne = <T extends z.ZodType>(entry: T) => z.tuple([entry]);
const text = z.string();
/** Fields that are irrelevant to the connection. */
const ignored = z.unknown().optional();

const SCHEMA = z.strictObject({
  apiVersion: z.literal('v1').optional(),
  kind: z.literal('Config').optional(),
  'current-context': text,
  clusters: onlyOne(
    z.strictObject({
      name: text,
      cluster: z.strictObject({
        server: text,
        'certificate-authority-data': text,
        'disable-compression': ignored,
        extensions: ignored,
      }),
    }),
  ),
  users: onlyOne(
    z.strictObject({
      name: text,
      user: z.strictObject({
        'client-certificate-data': text.optional(),
        'client-key-data': text.optional(),
        token: text.optional(),
        extensions: ignored,
      }),
    }),
  ),
  contexts: onlyOne(
    z.strictObject({
      name: text,
      context: z.strictObject({ cluster: text, user: text, name: ignored, namespace: ignored, extensions: ignored }),
    }),
  ),
  preferences: ignored,
  extensions: ignored,
});

/** A kubeconfig of one cluster, one user and one context. */
export type Kubeconfig = z.infer<typeof SCHEMA>;

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/**
 * An unknown field is not named, because a misplaced field may be a secret. The paths of the others come from the
 * schema.
 */
const refusalOf = (issue: z.core.$ZodIssue): KubeconfigRefusedError => {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const refused = issue.keys.find((key) => Object.hasOwn(REFUSALS, key));
    if (refused) return new KubeconfigRefusedError(pathOf([...issue.path, refused]), REFUSALS[refused] ?? '');
    return new KubeconfigRefusedError(path, 'has a field that is not supported: remove it');
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    return new KubeconfigRefusedError(path, 'has to have exactly one entry: keep only that of this cluster');
  }
  return new KubeconfigRefusedError(path, 'is missing, or not of the type that it has in a kubeconfig');
};

/**
 * Kubeconfigs usually have less than 10 KiB. An editor can write this text, and must not be able to make parsing slow.
 */
const MAX_LENGTH = 64 * 1024;

/** Throws a KubeconfigRefusedError. */
export const readKubeconfig = (content: string): Kubeconfig => {
  if (content.length > MAX_LENGTH)
    throw new KubeconfigRefusedError('', `has more than ${MAX_LENGTH} characters: keep only what this cluster needs`);
  let value: unknown;
  try {
    value = withoutEmpty(readYaml(content));
  } catch (error) {
    if (error instanceof UnreadableError) throw new KubeconfigRefusedError('', error.message);
    throw error;
  }
  const { data, error } = SCHEMA.safeParse(value);
  const unknown = error?.issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = unknown ?? error?.issues[0];
  if (issue) throw refusalOf(issue);
  return data as Kubeconfig;
};
