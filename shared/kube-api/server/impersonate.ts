import { badRequest } from '../status-error.ts';
import { requireAllowed } from './authorize.ts';
import { decodeOrKeep } from './path-segment.ts';
import type { Authorize, User } from './user.ts';

/** `kubectl --as`: a user acts as another one, if the authorizer allows the user to `impersonate` each part of it. */

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';

const AUTHENTICATED = 'system:authenticated';
const ANONYMOUS = 'system:anonymous';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Several headers with the same name arrive joined. */
const valuesOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');

const extraOf = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    [...headers.keys()]
      .filter((name) => name.startsWith(EXTRA))
      .map((name) => [decodeOrKeep(name.slice(EXTRA.length)), valuesOf(headers, name)]),
  );

const requireUser = (authorize: Authorize, user: User, name: string): Promise<void> => {
  const [, namespace, account] = SERVICE_ACCOUNT.exec(name) ?? [];
  const target =
    account === undefined ? { resource: 'users', name } : { resource: 'serviceaccounts', namespace, name: account };
  return requireAllowed(authorize, user, { verb: 'impersonate', group: '', ...target });
};

/** Service accounts are in the groups of their kind, and everyone except the anonymous user is authenticated. */
const groupsOf = (name: string, asked: readonly string[]): string[] => {
  const namespace = SERVICE_ACCOUNT.exec(name)?.[1];
  const own =
    namespace !== undefined && asked.length === 0
      ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
      : [];
  const groups = [...asked, ...own];
  return name === ANONYMOUS || groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
};

/**
 * The user for whom the request is carried out: the caller, unless headers name another one. Throws a StatusError 403
 * for a part that the caller may not impersonate.
 */
export const actingUser = async (authorize: Authorize, user: User, headers: Headers): Promise<User> => {
  const name = headers.get(USER) ?? '';
  const groups = valuesOf(headers, GROUP);
  const uid = headers.get(UID) ?? '';
  const extra = extraOf(headers);
  if (name === '') {
    if (groups.length > 0 || uid !== '' || Object.keys(extra).length > 0)
      throw badRequest('groups, a uid or extra fields cannot be impersonated without a user');
    return user;
  }
  const ask = (more: object) => requireAllowed(authorize, user, { verb: 'impersonate', ...more });
  await requireUser(authorize, user, name);
  for (const group of groups) await ask({ group: '', resource: 'groups', name: group });
  if (uid !== '') await ask({ group: 'authentication.k8s.io', resource: 'uids', name: uid });
  for (const [subresource, values] of Object.entries(extra))
    for (const value of values)
      await ask({ group: 'authentication.k8s.io', resource: 'userextras', subresource, name: value });
  return { name, groups: groupsOf(name, groups), ...(uid === '' ? {} : { uid }), extra };
};
