import { qualified, StatusError } from '../status-error.ts';
import type { Target } from './target.ts';
import type { Attributes, Authorize, User } from './user.ts';

const VERBS: Readonly<Record<string, [onCollection: string, onObject: string]>> = {
  GET: ['list', 'get'],
  HEAD: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

/** The API's verb for a request, such as `deletecollection`; lower-case method where there is none. */
export const verbOf = (method: string, target: Target, watching: boolean): string => {
  if (watching && method === 'GET') return 'watch';
  return VERBS[method]?.[target.name === undefined ? 0 : 1] ?? method.toLowerCase();
};

/** Throws a StatusError 403 in upstream's words unless the user may do it. */
export const requireAllowed = (authorize: Authorize, user: User, target: Target, verb: string): void => {
  const { resource, namespace, name, subresource } = target;
  const { group, version, plural } = resource;
  const attributes: Attributes = { verb, group, version, resource: plural, subresource, namespace, name };
  if (authorize(user, attributes)) return;
  const what = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const object = name === undefined ? '' : ` "${name}"`;
  throw new StatusError(
    403,
    'Forbidden',
    `${qualified(resource)}${object} is forbidden: User "${user.name}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`,
    { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural },
  );
};
