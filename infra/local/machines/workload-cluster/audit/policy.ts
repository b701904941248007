import type { Attributes, User } from '../../../../../shared/kube-api/server/user.ts';
import { type Fields, isFields, section, sections, text, texts } from '../../kubeadm/fields.ts';
import { readYaml } from '../../user-data/yaml.ts';

/** Whether an API server records a request, by its audit policy. */
export type IsRecorded = (attributes: Attributes, user: User) => boolean;

const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'];
const KNOWN = ['level', 'verbs', 'users', 'userGroups', 'resources', 'omitStages', 'omitManagedFields'];

interface Rule {
  isNone: boolean;
  applies: IsRecorded;
}

const includes = (list: readonly string[], one: string): boolean => list.length === 0 || list.includes(one);

/** `nodes` means the objects alone, `nodes/status` a subresource, `*` all objects. */
const hasResource =
  (resources: readonly Fields[]): ((attributes: Attributes) => boolean) =>
  ({ group = '', resource, subresource }) => {
    if (resources.length === 0) return true;
    if (resource === undefined) return false;
    const asked = subresource === undefined ? resource : `${resource}/${subresource}`;
    return resources.some(
      (one) =>
        (text(one, 'group') ?? '') === group &&
        (texts(one, 'resources').includes(asked) || texts(one, 'resources').length === 0),
    );
  };

const ruleOf = (source: Fields): Rule => {
  const level = text(source, 'level') ?? '';
  if (!LEVELS.includes(level)) throw new Error(`rules: level: Unsupported value: "${level}"`);
  const unknown = Object.keys(source).find((key) => !KNOWN.includes(key));
  if (unknown) throw new Error(`rules: the simulated API server does not know ${unknown} of an audit policy`);
  const [verbs, users, groups] = [texts(source, 'verbs'), texts(source, 'users'), texts(source, 'userGroups')];
  const isOf = hasResource(sections(source, 'resources'));
  return {
    isNone: level === 'None',
    applies: (attributes, user) =>
      includes(verbs, attributes.verb) &&
      includes(users, user.name) &&
      (groups.length === 0 || user.groups.some((group) => groups.includes(group))) &&
      isOf(attributes),
  };
};

/** Reads an audit policy; the first matching rule decides. Throws an Error if an API server would not start with it. */
export const readPolicy = (content: string): IsRecorded => {
  const [document] = readYaml(content);
  if (!isFields(document) || document.kind !== 'Policy') throw new Error('the audit policy is no Policy');
  const rules = sections(document, 'rules').map(ruleOf);
  if (rules.length === 0) throw new Error('loaded illegal policy with 0 rules');
  return (attributes, user) => rules.find(({ applies }) => applies(attributes, user))?.isNone === false;
};

export interface WebhookTarget {
  url: string;
  token: string | undefined;
  /** PEM; undefined for the authorities of the system. */
  ca: string | undefined;
}

const named = (document: Fields, list: string, name: string | undefined, key: string): Fields => {
  const found = sections(document, list).find((one) => text(one, 'name') === name);
  if (!found) throw new Error(`the webhook's kubeconfig has no ${key} "${name ?? ''}"`);
  return section(found, key);
};

/** Reads the kubeconfig of a webhook. Throws an Error if it contains no server. */
export const readWebhook = (content: string): WebhookTarget => {
  const [document] = readYaml(content);
  if (!isFields(document)) throw new Error('the webhook configuration is no kubeconfig');
  const context = named(document, 'contexts', text(document, 'current-context'), 'context');
  const cluster = named(document, 'clusters', text(context, 'cluster'), 'cluster');
  const user = named(document, 'users', text(context, 'user'), 'user');
  const url = text(cluster, 'server');
  if (!url) throw new Error('the webhook configuration has no server');
  const ca = text(cluster, 'certificate-authority-data');
  return { url, token: text(user, 'token'), ca: ca && Buffer.from(ca, 'base64').toString('utf8') };
};
