import type { StatusError } from '../status-error.ts';
import { queryOf } from './query.ts';
import { isForReviews } from './reviews.ts';
import type { Attributes, User } from './user.ts';

/** The user, the request and the result. Only names and codes: no body, no query, no token. */
export interface AuditRecord {
  /** The caller, as the authentication in front of the server names it. */
  principal: string;
  /** The session of an assumed role, which often contains a person's name. */
  session?: string;
  /** The caller's name in RBAC, if it differs from the principal. */
  user?: string;
  groups: readonly string[];
  /** The user in whose name the caller asked to act, whether or not that was allowed. */
  impersonated?: string;
  verb: string;
  group?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  /** Missing for collections, and for a creation that was refused before its name was known. */
  name?: string;
  /** Instead of a resource, for paths without one. */
  path?: string;
  dryRun: boolean;
  code: number;
  /** The results of admission webhooks and policies for the request, by name. */
  annotations?: Readonly<Record<string, string>>;
}

export type Audit = (record: AuditRecord) => void;

/** What is found out about a request while it is answered. */
export interface Trail {
  user?: User;
  name?: string;
  dryRun?: boolean;
  annotations?: Readonly<Record<string, string>>;
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'options']);
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

const readsSecrets = ({ group, resource }: Attributes): boolean => group === '' && resource === 'secrets';

/** Reviews are queries, although they are posted. */
const isQuestion = (attributes: Attributes): boolean => READING.has(attributes.verb) || isForReviews(attributes);

/**
 * Whether a request must be recorded: it would change something, it reads a Secret, or it was refused. Failed attempts
 * are also recorded.
 */
export const isAudited = (attributes: Attributes, code: number): boolean =>
  REFUSED.has(code) || readsSecrets(attributes) || !isQuestion(attributes);

/** Records the object in a failure: the name of one that could not be created. */
export const noteFailure = (trail: Trail, { details }: StatusError): void => {
  trail.name ??= details?.name;
};

const asksDryRun = ({ url }: Request): boolean => queryOf(url).getAll('dryRun').includes('All');

export const auditRecord = (
  request: Request,
  caller: User,
  { attributes, trail, code }: { attributes: Attributes; trail: Trail; code: number },
): AuditRecord => {
  const { verb, group, resource, subresource, namespace, path, name } = attributes;
  const { user = caller } = trail;
  return {
    principal: caller.name,
    session: caller.extra?.sessionName?.[0],
    user: user.name === caller.name ? undefined : user.name,
    groups: user.groups,
    impersonated: request.headers.get('impersonate-user') || undefined,
    verb,
    group,
    resource,
    subresource,
    namespace: namespace || undefined,
    name: name ?? trail.name,
    path,
    dryRun: trail.dryRun ?? asksDryRun(request),
    code,
    ...(trail.annotations ? { annotations: trail.annotations } : {}),
  };
};
