import { isObject, type JsonObject } from '../json.ts';
import { badRequest } from '../status-error.ts';
import { readBody } from './body.ts';
import { respond } from './respond.ts';
import type { Attributes, Authorize, User } from './user.ts';

/** `kubectl auth can-i` and `kubectl auth whoami`: questions that are answered and not stored. */

export const REVIEWS = [
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
  },
  {
    group: 'authentication.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
  },
] as const;

export type Review = (typeof REVIEWS)[number];

/** The review that a path names, if any. */
export const findReview = (path: string): Review | undefined =>
  REVIEWS.find(({ group, version, plural }) => path === `/apis/${group}/${version}/${plural}`);

export const answerReview = async (
  review: Review,
  request: Request,
  { user, authorize }: { user: User; authorize: Authorize },
): Promise<Response> => {
  const body = await readBody(request);
  if (!isObject(body)) throw badRequest(`the body of the request has to be a ${review.kind}`);
  const head = { kind: review.kind, apiVersion: `${review.group}/${review.version}`, metadata: {} };
  if (review.kind === 'SelfSubjectReview') {
    const status = { userInfo: { username: user.name, groups: user.groups } };
    return respond({ ...head, status }, { status: 201 });
  }
  const spec = isObject(body.spec) ? body.spec : {};
  const allowed = authorize(user, attributesOf(spec));
  return respond({ ...head, spec, status: { allowed } }, { status: 201 });
};

const textsOf = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );

const attributesOf = ({ resourceAttributes, nonResourceAttributes }: JsonObject): Attributes => {
  if (isObject(resourceAttributes)) return { verb: '*', group: '', ...textsOf(resourceAttributes) };
  if (isObject(nonResourceAttributes)) return { verb: '*', path: '/', ...textsOf(nonResourceAttributes) };
  throw badRequest('spec: exactly one of resourceAttributes and nonResourceAttributes must be specified');
};
