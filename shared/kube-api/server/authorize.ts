import { qualified, StatusError } from '../status-error.ts';
import type { Target } from './target.ts';
import type { Attributes, Authorize, Decision, User } from './user.ts';

const VERBS: Readonly<Record<string, [onCollection: string, onObject: string]>> = {
  GET: ['list', 'get'],
  HEAD: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

/** The API's verb for a request, such as `deletecollection`; empty if there is none. */
export const verbOf = (method: string, target: Target, watching: boolean): string => {
  if (watching && method === 'GET') return 'watch';
  return VERBS[method]?.[target.name === undefined ? 0 : 1] ?? '';
};

/** The authorizer's decision with its reason, if it gives one. */
export const decide = async (authorize: Authorize, user: User, attributes: Attributes): Promise<Decision> => {
  const answer = await authorize(user, attributes);
  return typeof answer === 'boolean' ? { allowed: answer } : answer;
};

const describe = ({ name }: User, attributes: Attributes): string => {
  const { verb, path, group = '', resource, subresource, namespace = '' } = attributes;
  if (resource === undefined) return `User "${name}" cannot ${verb} path "${path}"`;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
};

/** A StatusError 403 with upstream's message. */
const refusal = (user: User, attributes: Attributes, reason = ''): StatusError => {
  const why = [describe(user, attributes), ...(reason === '' ? [] : [reason])].join(': ');
  const { group = '', resource, name } = attributes;
  if (resource === undefined) return new StatusError(403, 'Forbidden', `forbidden: ${why}`, {});
  const what = `${qualified({ group, plural: resource })}${name === undefined ? '' : ` "${name}"`}`;
  return new StatusError(403, 'Forbidden', `${what} is forbidden: ${why}`, {
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
};

/** Throws a StatusError 403 unless the user is allowed to do it. */
export const requireAllowed = async (authorize: Authorize, user: User, attributes: Attributes): Promise<void> => {
  const { allowed, reason } = await decide(authorize, user, attributes);
  if (!allowed) throw refusal(user, attributes, reason);
};
