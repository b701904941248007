import { Buffer } from 'node:buffer';
import { tryJson } from '../../decode/json.ts';
import type { Operation } from '../admission-control.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import type { User } from '../server/user.ts';
import { WebhookFault } from './errors.ts';
import type { Form } from './form.ts';

/** admission.k8s.io/v1: what webhooks are asked, and what they may answer. */

const HEAD = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' } as const;

export interface Question {
  operation: Operation;
  /** The form that is shown, and that of the request. */
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

/** Members of a request that expressions see, too. */
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

export const reviewOf = (uid: string, question: Question): JsonObject => ({
  ...HEAD,
  request: {
    uid,
    ...requestOf(question),
    object: question.object ?? null,
    oldObject: question.old ?? null,
  },
});

export interface Answer {
  allowed: boolean;
  /** Operations of a JSON patch, where there are any. */
  patch: unknown[];
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
  if (hasType && patchType !== 'JSONPatch') {
    throw new WebhookFault(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const textMapOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, text]) =>
      typeof text === 'string' ? [[key, text]] : [],
    ),
  );

/** A patch that is none refuses the request, whatever the failure policy: the webhook has answered. */
export class UnreadablePatch extends Error {
  override readonly name = 'UnreadablePatch';
}

const operationsOf = (patch: unknown): unknown[] => {
  if (typeof patch !== 'string' || patch === '') return [];
  const operations = tryJson(Buffer.from(patch, 'base64').toString('utf8'));
  if (!Array.isArray(operations)) throw new UnreadablePatch('the patch of the webhook is not a list of operations');
  return operations;
};

/** Reads an answer (k8s.io/apiserver, webhook/request VerifyAdmissionResponse). Throws WebhookFault. */
export const readAnswer = (body: unknown, uid: string, isMutating: boolean): Answer => {
  const review = isObject(body) ? body : {};
  const { response } = review;
  if (!isObject(response)) throw invalid('webhook response was absent');
  const expected = shownKind(HEAD);
  const found = shownKind(review);
  if (found !== expected) throw invalid(`expected webhook response of ${expected}, got ${found}`);
  if (response.uid !== uid) {
    throw invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  checkPatch(response, isMutating);
  return {
    allowed: response.allowed === true,
    patch: operationsOf(response.patch),
    result: response.status,
    warnings: textsOf(response.warnings),
    auditAnnotations: textMapOf(response.auditAnnotations),
  };
};
