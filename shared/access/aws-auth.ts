import type { ConfigMap } from '../kinds/index.ts';
import { invalidValue } from '../kube-api/field-error.ts';
import { isObject } from '../kube-api/json.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { FieldError, ResourceDefinition } from '../kube-api/resource.ts';
import { invalid } from '../kube-api/status-error.ts';

/**
 * The ConfigMap aws-auth in kube-system, which users of EKS know: it maps IAM principals to users and groups.
 * `mapRoles` and `mapUsers` are YAML lists of `{rolearn | userarn, username, groups}`.
 */

export interface MappedPrincipal {
  /** In the form of STS: a role without its path. */
  arn: string;
  username?: string;
  groups: readonly string[];
}

const NAME = 'aws-auth';
const NAMESPACE = 'kube-system';

const FORMS = [
  { key: 'mapRoles', member: 'rolearn', pattern: /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/ },
  { key: 'mapUsers', member: 'userarn', pattern: /^arn:aws[a-z-]*:iam::\d{12}:(user\/[\w+=,.@/-]+|root)$/ },
] as const;
type Form = (typeof FORMS)[number];

export const isPrincipalMap = ({ group, plural }: ResourceDefinition, { metadata }: KubeObject): boolean =>
  group === '' && plural === 'configmaps' && metadata.namespace === NAMESPACE && metadata.name === NAME;

const withoutPath = (arn: string): string => arn.replace(/:role\/.*\//, ':role/');

/** The error in one entry; undefined if there is none. */
const fault = (entry: unknown, { member, pattern }: Form): string | undefined => {
  if (!isObject(entry)) return 'every entry must be an object';
  const { [member]: arn, username = '', groups = [] } = entry;
  if (typeof arn !== 'string' || !pattern.test(arn)) return `${member} must be the ARN of an IAM principal`;
  if (typeof username !== 'string') return 'username must be text';
  if (username.includes('{{')) return 'templates in a username are not supported: remove it, then the ARN is the name';
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string' && group !== ''))
    return 'groups must be a list of names';
  return undefined;
};

const read = async (text: string): Promise<unknown> => {
  if (text === '') return undefined;
  // Loaded only when needed: most installations have no map, and a cold start is faster without the parser.
  const { readYaml } = await import('../decode/yaml.ts');
  try {
    return readYaml(text);
  } catch {
    // The parser's message quotes the document; the location is enough for its author.
    return 'not YAML';
  }
};

interface Reading {
  principals: MappedPrincipal[];
  errors: FieldError[];
}

const readForm = async ({ data = {} }: ConfigMap, form: Form): Promise<Reading> => {
  const value = (await read(data[form.key] ?? '')) ?? [];
  const refuse = (at: string, detail: string) => invalidValue(`data[${form.key}]${at}`, data[form.key], detail);
  if (!Array.isArray(value)) return { principals: [], errors: [refuse('', 'must be a YAML list')] };
  const principals: MappedPrincipal[] = [];
  const errors: FieldError[] = [];
  for (const [index, entry] of value.entries()) {
    const wrong = fault(entry, form);
    if (wrong) errors.push(refuse(`[${index}]`, wrong));
    else {
      const {
        [form.member]: arn,
        username,
        groups = [],
      } = entry as { rolearn: string; userarn: string; username?: string; groups?: string[] };
      principals.push({ arn: withoutPath(arn), ...(username ? { username } : {}), groups });
    }
  }
  return { principals, errors };
};

const readAll = async (map: ConfigMap): Promise<Reading> => {
  const readings = await Promise.all(FORMS.map((form) => readForm(map, form)));
  return {
    principals: readings.flatMap(({ principals }) => principals),
    errors: readings.flatMap(({ errors }) => errors),
  };
};

/** Throws a StatusError 422 for a map that cannot be read, because such a map would lock users out. */
export const validatePrincipalMap = async (object: KubeObject): Promise<void> => {
  const map = object as ConfigMap;
  const unknown = Object.keys(map.data ?? {}).filter((key) => key === 'mapAccounts');
  const errors = [
    ...(await readAll(map)).errors,
    ...unknown.map((key) => invalidValue(`data[${key}]`, map.data?.[key], 'whole accounts cannot be mapped')),
  ];
  if (errors.length > 0) throw invalid({ group: '', kind: 'ConfigMap' }, NAME, errors);
};

/** Each map is parsed only once: the policy keeps it while it is cached, and uses it for every request. */
const readings = new WeakMap<ConfigMap, Promise<Reading>>();

const readOnce = (map: ConfigMap): Promise<Reading> => {
  const reading = readings.get(map) ?? readAll(map);
  readings.set(map, reading);
  return reading;
};

/** The map's entry for a principal. Invalid entries are ignored, and the last matching one is used. */
export const findPrincipal = async (map: ConfigMap | undefined, arn: string): Promise<MappedPrincipal | undefined> => {
  if (!map) return undefined;
  const { principals } = await readOnce(map);
  return principals.findLast((principal) => principal.arn.toLowerCase() === arn.toLowerCase());
};
