import { Buffer } from 'node:buffer';
import { tryJson } from '../../decode/json.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { Operation } from '../registry/admission-control.ts';
import type { User } from '../server/user.ts';
import { WebhookFault } from './errors.ts';
import type { Form } from './form.ts';

/** The requests and responses of admission webhooks, as AdmissionReview objects of admission.k8s.io. */

/** Both versions have the same fields. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;

export type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

/** The first of a webhook's versions that is supported here; undefined if there is none. */
export const reviewVersionOf = (versions: readonly string[] = []): ReviewVersion | undefined =>
  versions
    .map((version) => REVIEW_VERSIONS.find((known) => known === version))
    .find((version) => version !== undefined);

const headOf = (version: ReviewVersion) =>
  ({ kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}` }) as const;

/** Identifies one review. */
export interface Asking {
  uid: string;
  version: ReviewVersion;
}

export interface Question {
  operation: Operation;
  /** The form that the webhook receives; `requested` is the form of the request. */
  form: Form;
  requested: Form;
  subresource: string | undefined;
  name: string;
  namespace: string;
  user: User;
  object: KubeObject | undefined;
  old: KubeObject | undefined;
  dryRun: boolean;
  options: JsonObject;
}

const userInfo = ({ name, uid, groups, extra }: User): JsonObject => ({
  username: name,
  ...(uid ? { uid } : {}),
  ...(groups.length > 0 ? { groups } : {}),
  ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
});

/** The fields of a request that CEL expressions also see. */
export const requestOf = (question: Question): JsonObject => {
  const { form, requested, subresource, name, namespace, operation, user, dryRun, options } = question;
  return {
    kind: form.kind,
    resource: form.resource,
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: requested.kind,
    requestResource: requested.resource,
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options,
  };
};

export const reviewOf = ({ uid, version }: Asking, question: Question): JsonObject => ({
  ...headOf(version),
  request: {
    uid,
    ...requestOf(question),
    object: question.object ?? null,
    oldObject: question.old ?? null,
  },
});

export interface Answer {
  allowed: boolean;
  /** The patch as received; `operationsIn` decodes it. Empty for validating webhooks. */
  patch: string;
  patchType: string;
  result: unknown;
  warnings: string[];
  auditAnnotations: Record<string, string>;
}

const invalid = (why: string): WebhookFault => new WebhookFault(`received invalid webhook response: ${why}`);

const shownKind = ({ apiVersion, kind }: JsonObject): string => {
  const [group, version] = String(apiVersion ?? '').split('/');
  return version === undefined ? `/${group}, Kind=${kind ?? ''}` : `${group}/${version}, Kind=${kind ?? ''}`;
};

const checkPatch = ({ patch, patchType }: JsonObject, isMutating: boolean): void => {
  const hasPatch = typeof patch === 'string' && patch !== '';
  const hasType = patchType !== undefined && patchType !== null;
  if (!isMutating) {
    if (hasPatch) throw invalid('validating webhook may not return response.patch');
    if (hasType) throw invalid('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && !hasType) throw invalid('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw invalid('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalid('webhook returned invalid response.patchType of ""');
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const textMapOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, text]) =>
      typeof text === 'string' ? [[key, text]] : [],
    ),
  );

const isOperation = (value: unknown): boolean => value === null || isObject(value);

/** Decodes the operations of a patch. Throws a WebhookFault, which does not quote the patch, if that fails. */
export const operationsIn = ({ patch }: Answer): unknown[] => {
  if (patch === '') return [];
  const operations = tryJson(Buffer.from(patch, 'base64').toString('utf8'));
  if (operations === null) return [];
  if (Array.isArray(operations) && operations.every(isOperation)) return operations;
  throw new WebhookFault('received undecodable patch in webhook response: it is not a list of operations');
};

/** Upstream only validates v1 responses. */
const checkAnswer = (review: JsonObject, response: JsonObject, { uid, version }: Asking, isMutating: boolean): void => {
  if (version === 'v1beta1') return;
  const expected = shownKind(headOf(version));
  const found = shownKind(review);
  if (found !== expected) throw invalid(`expected webhook response of ${expected}, got ${found}`);
  if (response.uid !== uid) {
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  checkPatch(response, isMutating);
};

/** As upstream, ignores the patch type of v1beta1 responses: these are always JSON patches. */
const patchTypeOf = ({ patchType }: JsonObject, { version }: Asking): string =>
  version === 'v1beta1' ? 'JSONPatch' : textOf(patchType);

/** Reads a response (k8s.io/apiserver, webhook/request VerifyAdmissionResponse). Throws WebhookFault. */
export const readAnswer = (body: unknown, asking: Asking, isMutating: boolean): Answer => {
  const review = isObject(body) ? body : {};
  const { response } = review;
  if (!isObject(response)) throw invalid('webhook response was absent');
  checkAnswer(review, response, asking, isMutating);
  return {
    allowed: response.allowed === true,
    patch: isMutating ? textOf(response.patch) : '',
    patchType: patchTypeOf(response, asking),
    result: response.status,
    warnings: textsOf(response.warnings),
    auditAnnotations: textMapOf(response.auditAnnotations),
  };
};
