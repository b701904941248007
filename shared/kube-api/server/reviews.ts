import { decodeObject } from '../decode.ts';
import { checkNamespace } from '../identity.ts';
import type { JsonObject } from '../json.ts';
import { formatTime, type KubeObject, type ObjectMeta } from '../object.ts';
import type { FieldError } from '../resource.ts';
import { badRequest, invalid, type StatusError, warning } from '../status-error.ts';
import { negotiate } from './accept.ts';
import { decide } from './authorize.ts';
import { MAX_REVIEW_BYTES, readDocument } from './body.ts';
import { respondObject } from './present.ts';
import { queryOf, readDryRun, readFieldValidation } from './query.ts';
import { errorsOfAccess, withoutEmpty } from './review-errors.ts';
import { type AccessSpec, REVIEWS, type Review, type ReviewDefinition } from './review-kinds.ts';
import { evaluationErrorOf } from './review-selectors.ts';
import type { Attributes, Authorize, Decision, User, UserRules } from './user.ts';

/** `kubectl auth can-i` and `kubectl auth whoami`: reviews that are answered and not stored. */

const isOf = ({ group, version, resource, namespace = '' }: Attributes) => {
  return (known: ReviewDefinition): boolean =>
    known.group === group &&
    known.version === version &&
    known.plural === resource &&
    known.namespaced === (namespace !== '');
};

/** The review that a request creates, if any. */
export const findReview = (attributes: Attributes): Review | undefined => {
  const { verb, subresource, name, namespace = '' } = attributes;
  if (verb !== 'create' || name !== undefined || subresource !== undefined) return undefined;
  const found = REVIEWS.find(isOf(attributes));
  return found && { ...found, namespace };
};

/** Whether a request is for reviews, with any verb: they are created and never stored. */
export const isForReviews = (attributes: Attributes): boolean =>
  attributes.name === undefined && REVIEWS.some(isOf(attributes));

/** Every authenticated user may query their own rights. */
export const isAboutSelf = ({ kind }: Review): boolean => kind.startsWith('Self');

export interface ReviewContext {
  user: User;
  authorize: Authorize;
  now: Date;
  rulesOf?(user: User, namespace: string): Promise<UserRules>;
}

/** Answers a review. Throws a StatusError for one that upstream would not decode or accept. */
export const answerReview = async (found: Review, request: Request, context: ReviewContext): Promise<Response> => {
  const query = queryOf(request.url);
  const accepted = negotiate(request.headers.get('accept'), { ...found, withoutTable: true });
  const { object: asked, warnings } = await readReview(found, request, query);
  const { apiVersion, kind } = asked;
  const metadata = metadataOf(found, context) as unknown as ObjectMeta;
  const answered = await warning(warnings, () => answerOf(found, asked, context));
  const call = { resource: found, accepted, query, clock: { now: () => context.now } };
  return respondObject(call, { apiVersion, kind, metadata, ...answered } as KubeObject, { status: 201, warnings });
};

const readReview = async (found: Review, request: Request, query: URLSearchParams) => {
  const { value, findDuplicates: duplicates } = await readDocument(request, MAX_REVIEW_BYTES);
  if (value === undefined) throw badRequest(`the body of the request must be a ${found.kind}`);
  const fieldValidation = readFieldValidation(query, 'CreateOptions');
  // It is not stored anywhere; only the parameter is checked.
  readDryRun(query, 'CreateOptions');
  // Go's decoder reads null as an empty object of the URL's kind.
  return decodeObject(found, value ?? {}, { fieldValidation, duplicates });
};

const metadataOf = ({ kind, namespace }: Review, { now }: ReviewContext): JsonObject => {
  if (kind === 'SelfSubjectReview') return { creationTimestamp: formatTime(now) };
  return namespace === '' ? {} : { namespace };
};

const answerOf = async (found: Review, asked: KubeObject, context: ReviewContext): Promise<object> => {
  const { user, rulesOf } = context;
  if (found.kind === 'SelfSubjectReview') return { status: { userInfo: userInfo(user) } };
  const { spec = {} } = asked as { spec?: AccessSpec & { namespace?: string } };
  if (found.kind === 'SelfSubjectRulesReview') return { spec: {}, status: await rulesStatus(spec, user, rulesOf) };
  return { spec: withoutEmpty(spec), status: await accessStatus(found, { ...asked, spec }, context) };
};

const userInfo = ({ name, groups, uid, extra }: User) => ({ username: name, uid, groups, extra });

/** Upstream omits the kind here. */
const refuse = ({ group }: Review, errors: readonly FieldError[]): StatusError =>
  invalid({ group, kind: '' }, '', errors);

const rulesStatus = async (
  { namespace = '' }: { namespace?: string },
  user: User,
  rulesOf: ReviewContext['rulesOf'],
): Promise<UserRules> => {
  if (namespace === '') throw badRequest('no namespace on request');
  if (rulesOf) return rulesOf(user, namespace);
  const evaluationError = 'the authorizer does not support rule resolution';
  return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError };
};

const accessStatus = async (
  found: Review,
  { metadata, spec }: { metadata: ObjectMeta; spec: AccessSpec },
  { user, authorize }: ReviewContext,
): Promise<Decision & { evaluationError?: string }> => {
  const inNamespace = metadataIn(found, metadata);
  const errors = errorsOfAccess(found, inNamespace, spec);
  if (errors.length > 0) throw refuse(found, errors);
  const subject = isAboutSelf(found) ? user : { name: spec.user ?? '', groups: spec.groups ?? [] };
  const decision = await decide(authorize, subject, attributesOf(spec));
  const evaluationError = evaluationErrorOf(spec);
  return evaluationError === undefined ? decision : { ...decision, evaluationError };
};

/** The namespace is that of the URL: none for reviews outside namespaces, whatever they contain. */
const metadataIn = ({ namespaced, namespace }: Review, { namespace: stated, ...rest }: ObjectMeta): ObjectMeta => {
  if (namespaced) checkNamespace(stated, namespace);
  return namespaced ? { ...rest, namespace } : rest;
};

const attributesOf = ({ resourceAttributes, nonResourceAttributes }: AccessSpec): Attributes => {
  if (!resourceAttributes) return { verb: '', path: '', ...nonResourceAttributes };
  const { fieldSelector: _, labelSelector: __, ...attributes } = resourceAttributes;
  const given = Object.entries(attributes).filter(([, value]) => value !== '');
  return { verb: '', group: '', resource: '', ...Object.fromEntries(given) };
};
