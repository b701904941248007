import { isObject, type JsonObject } from '../json.ts';
import { badRequest, invalid, type StatusError } from '../status-error.ts';
import { decide } from './authorize.ts';
import { readBody } from './body.ts';
import { respond } from './respond.ts';
import type { Attributes, Authorize, User, UserRules } from './user.ts';

/** `kubectl auth can-i` and `kubectl auth whoami`: questions that are answered and not stored. */

const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1', namespaced: false } as const;

const review = (kind: string) => ({ kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase() });

export const REVIEWS = [
  { ...AUTHORIZATION, ...review('SelfSubjectAccessReview') },
  { ...AUTHORIZATION, ...review('SelfSubjectRulesReview') },
  { ...AUTHORIZATION, ...review('SubjectAccessReview') },
  { ...AUTHORIZATION, ...review('LocalSubjectAccessReview'), namespaced: true },
  { group: 'authentication.k8s.io', version: 'v1', namespaced: false, ...review('SelfSubjectReview') },
] as const;

/** The review that a request is for; `namespace` is that of the URL. */
export type Review = (typeof REVIEWS)[number] & { namespace: string };

/** The review that a request creates, if any. */
export const findReview = (attributes: Attributes): Review | undefined => {
  const { verb, group, version, resource, subresource, name, namespace = '' } = attributes;
  if (verb !== 'create' || name !== undefined || subresource !== undefined) return undefined;
  const found = REVIEWS.find(
    (known) => known.group === group && known.version === version && known.plural === resource,
  );
  return found && found.namespaced === (namespace !== '') ? { ...found, namespace } : undefined;
};

/** Whoever is known may ask about himself. */
export const isAboutSelf = ({ kind }: Review): boolean => kind.startsWith('Self');

export interface ReviewContext {
  user: User;
  authorize: Authorize;
  rulesOf?(user: User, namespace: string): Promise<UserRules>;
}

export const answerReview = async (found: Review, request: Request, context: ReviewContext): Promise<Response> => {
  const body = await readBody(request);
  if (!isObject(body)) throw badRequest(`the body of the request has to be a ${found.kind}`);
  const head = { kind: found.kind, apiVersion: `${found.group}/${found.version}`, metadata: {} };
  const spec = isObject(body.spec) ? body.spec : {};
  const status = await statusOf(found, spec, context);
  return respond({ ...head, ...(found.kind === 'SelfSubjectReview' ? {} : { spec }), status }, { status: 201 });
};

const statusOf = async (found: Review, spec: JsonObject, context: ReviewContext): Promise<unknown> => {
  const { user, authorize, rulesOf } = context;
  switch (found.kind) {
    case 'SelfSubjectReview':
      return { userInfo: userInfo(user) };
    case 'SelfSubjectRulesReview':
      return rulesStatus(spec, user, rulesOf);
    case 'SelfSubjectAccessReview':
      return decide(authorize, user, attributesOf(found, spec));
    default:
      return decide(authorize, subjectOf(found, spec), attributesOf(found, spec));
  }
};

const userInfo = ({ name, groups, uid, extra }: User) => ({ username: name, uid, groups, extra });

const refuse = (found: Review, field: string, detail: string): StatusError =>
  invalid(found, '', [{ type: 'FieldValueInvalid', field, badValue: '', detail }]);

const rulesStatus = async (
  { namespace }: JsonObject,
  user: User,
  rulesOf: ReviewContext['rulesOf'],
): Promise<UserRules> => {
  if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
  if (rulesOf) return rulesOf(user, namespace);
  const evaluationError = 'the authorizer does not support rule resolution';
  return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError };
};

const subjectOf = (found: Review, { user, groups, resourceAttributes }: JsonObject): User => {
  const name = typeof user === 'string' ? user : '';
  const given = Array.isArray(groups) ? groups.map(String) : [];
  if (name === '' && given.length === 0)
    throw refuse(found, 'spec.user', 'at least one of user or group must be specified');
  if (found.kind !== 'LocalSubjectAccessReview') return { name, groups: given };
  const asked = isObject(resourceAttributes) ? resourceAttributes.namespace : undefined;
  if (asked !== found.namespace)
    throw refuse(found, 'spec.resourceAttributes.namespace', 'must match metadata.namespace');
  return { name, groups: given };
};

const textsOf = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );

const attributesOf = (found: Review, { resourceAttributes, nonResourceAttributes }: JsonObject): Attributes => {
  const [ofResource, ofPath] = [isObject(resourceAttributes), isObject(nonResourceAttributes)];
  if (ofResource && ofPath)
    throw refuse(found, 'spec.nonResourceAttributes', 'cannot be specified in combination with resourceAttributes');
  if (isObject(resourceAttributes)) return { verb: '', group: '', resource: '', ...textsOf(resourceAttributes) };
  if (isObject(nonResourceAttributes)) return { verb: '', path: '', ...textsOf(nonResourceAttributes) };
  throw refuse(
    found,
    'spec.resourceAttributes',
    'exactly one of nonResourceAttributes or resourceAttributes must be specified',
  );
};
