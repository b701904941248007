import { invalidValue } from '../field-error.ts';
import { isObject, type JsonObject } from '../json.ts';
import { formatTime } from '../object.ts';
import type { FieldError } from '../resource.ts';
import { badRequest, invalid, type StatusError } from '../status-error.ts';
import { decide } from './authorize.ts';
import { MAX_REVIEW_BYTES, readBody } from './body.ts';
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

/** Whether a request is for reviews, with any verb: they are created and never stored. */
export const isForReviews = ({ group, version, resource, name }: Attributes): boolean =>
  name === undefined &&
  REVIEWS.some((known) => known.group === group && known.version === version && known.plural === resource);

/** Every authenticated user may ask about themselves. */
export const isAboutSelf = ({ kind }: Review): boolean => kind.startsWith('Self');

export interface ReviewContext {
  user: User;
  authorize: Authorize;
  now: Date;
  rulesOf?(user: User, namespace: string): Promise<UserRules>;
}

export const answerReview = async (found: Review, request: Request, context: ReviewContext): Promise<Response> => {
  const body = await readBody(request, MAX_REVIEW_BYTES);
  if (!isObject(body)) throw badRequest(`the body of the request has to be a ${found.kind}`);
  if (typeof body.kind === 'string' && body.kind !== '' && body.kind !== found.kind)
    throw badRequest(`the body of the request has to be a ${found.kind}, not another kind`);
  const head = {
    kind: found.kind,
    apiVersion: `${found.group}/${found.version}`,
    metadata: metadataOf(found, context),
  };
  const spec = isObject(body.spec) ? body.spec : {};
  const status = await statusOf(found, spec, context);
  return respond({ ...head, ...(found.kind === 'SelfSubjectReview' ? {} : { spec }), status }, { status: 201 });
};

const metadataOf = ({ kind, namespace }: Review, { now }: ReviewContext): JsonObject => {
  if (kind === 'SelfSubjectReview') return { creationTimestamp: formatTime(now) };
  return namespace === '' ? {} : { namespace };
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
      return decide(authorize, subjectOf(spec), attributesOf(found, spec));
  }
};

const userInfo = ({ name, groups, uid, extra }: User) => ({ username: name, uid, groups, extra });

/** Upstream omits the kind here. */
const refuse = ({ group }: Review, errors: readonly FieldError[]): StatusError =>
  invalid({ group, kind: '' }, '', errors);

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

const subjectOf = ({ user, groups }: JsonObject): User => ({
  name: typeof user === 'string' ? user : '',
  groups: Array.isArray(groups) ? groups.map(String) : [],
});

const textsOf = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );

const MISSING = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

/** As the type of upstream's program shows itself. */
const shown = ({ path = '', verb = '' }: JsonObject) => ({ Path: path, Verb: verb });

/** A selector is given as text or by its requirements. */
const selectorErrors = (attributes: JsonObject, member: string): FieldError[] => {
  const { [member]: selector } = attributes;
  if (!isObject(selector) || typeof selector.rawSelector !== 'string' || selector.rawSelector === '') return [];
  if (!Array.isArray(selector.requirements) || selector.requirements.length === 0) return [];
  const field = `spec.resourceAttributes.${member}.rawSelector`;
  return [invalidValue(field, selector.rawSelector, 'may not specified at the same time as requirements')];
};

const errorsOf = (found: Review, spec: JsonObject): FieldError[] => {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const [field, isLocal] = ['spec.nonResourceAttributes', found.kind === 'LocalSubjectAccessReview'];
  const onPath = isObject(nonResourceAttributes) ? shown(nonResourceAttributes) : undefined;
  const onResource = isObject(resourceAttributes) ? resourceAttributes : undefined;
  const { name, groups } = subjectOf(spec);
  const isNobody = !isAboutSelf(found) && name === '' && groups.length === 0;
  const isElsewhere = isLocal && onResource && (onResource.namespace ?? '') !== found.namespace;
  return [
    ...(onPath && onResource
      ? [invalidValue(field, onPath, 'cannot be specified in combination with resourceAttributes')]
      : []),
    ...(onPath || onResource ? [] : [invalidValue('spec.resourceAttributes', null, MISSING)]),
    ...(isNobody ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []),
    ...(isElsewhere
      ? [invalidValue('spec.resourceAttributes.namespace', onResource.namespace ?? '', 'must match metadata.namespace')]
      : []),
    ...(isLocal && onPath ? [invalidValue(field, onPath, 'disallowed on this kind of request')] : []),
    ...(onResource ? ['fieldSelector', 'labelSelector'].flatMap((member) => selectorErrors(onResource, member)) : []),
  ];
};

/** The subject of the review. Throws a StatusError 422 for an invalid one. */
const attributesOf = (found: Review, spec: JsonObject): Attributes => {
  const errors = errorsOf(found, spec);
  if (errors.length > 0) throw refuse(found, errors);
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isObject(resourceAttributes)) return { verb: '', group: '', resource: '', ...textsOf(resourceAttributes) };
  return { verb: '', path: '', ...textsOf(isObject(nonResourceAttributes) ? nonResourceAttributes : {}) };
};
