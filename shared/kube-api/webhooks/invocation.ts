import type { Log } from '../../log.ts';
import type { Random } from '../../random.ts';
import type { CelValue } from '../cel/value.ts';
import { ConversionError } from '../custom/conversion/error.ts';
import type { JsonObject } from '../json.ts';
import type { KubeObject } from '../object.ts';
import { type AdmissionAttempt, shownName } from '../registry/admission-control.ts';
import type { WriteRequest } from '../server/for-user.ts';
import { forbidden } from '../status-error.ts';
import { conclude, untyped } from './conditions.ts';
import type { ClientConfig, Selector } from './configuration.ts';
import { failedCalling, internalError, WebhookFault } from './errors.ts';
import { type Form, formsOf } from './form.ts';
import type { Hook } from './hook.ts';
import { isEmptySelector, matchedForm, type Subject, selects, selectsNamespace } from './match.ts';
import { type Answer, type Question, readAnswer, requestOf, reviewOf, reviewVersionOf } from './review.ts';

/** Calls a webhook and returns the parsed body of its response. Throws WebhookFault if the call fails. */
export type CallWebhook = (call: {
  clientConfig: ClientConfig;
  body: JsonObject;
  timeoutSeconds: number;
}) => Promise<unknown>;

export interface Ports {
  call: CallWebhook;
  /** Throws a StatusError 504 if the request's deadline has passed. */
  requireTime(): void;
  random: Pick<Random, 'uuid'>;
  log: Pick<Log, 'warn'>;
  /** The labels of a namespace; undefined if it does not exist. */
  namespaceLabels(name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

/** An attempt, with the data that all webhooks share. */
export interface Asked {
  attempt: AdmissionAttempt;
  context: WriteRequest;
  ports: Ports;
  forms: readonly Form[];
  subject: Subject;
}

export const askedOf = (attempt: AdmissionAttempt, context: WriteRequest, ports: Ports): Asked => {
  const { resource, operation } = attempt;
  const { requested, subresource } = context;
  const forms = formsOf(resource, requested, subresource);
  return {
    attempt,
    context,
    ports,
    forms,
    subject: { operation, resource, subresource, name: attempt.name },
  };
};

/** The form that a webhook receives; undefined if its rules do not match. */
export const formFor = ({ webhook }: Hook, { forms, subject }: Asked): Form | undefined =>
  matchedForm(webhook, forms, subject);

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** If converting the object for a webhook fails, the request fails regardless of the webhook's failure policy. */
const shownIn = async (form: Form, of: KubeObject | undefined): Promise<KubeObject | undefined> => {
  try {
    return of && (await form.show(of));
  } catch (error) {
    throw error instanceof ConversionError ? internalError(error.message) : error;
  }
};

/**
 * Reports whether an object selector selects the old or the new object. For the scale subresource, that is the Scale,
 * which has no labels.
 */
export const selectsShown = async (
  selector: Selector | undefined,
  object: KubeObject | undefined,
  { forms: [requested], attempt }: Asked,
): Promise<boolean> => {
  if (!requested || isEmptySelector(selector)) return true;
  const shown = [await shownIn(requested, object), await shownIn(requested, attempt.old)];
  return shown.some((one) => one !== undefined && selects(selector, one.metadata.labels));
};

/** Creates a webhook request for an object in a form. */
export const questionOf = async (asked: Asked, form: Form, object: KubeObject | undefined): Promise<Question> => {
  const { attempt, context, forms } = asked;
  const { operation, name, namespace, old, dryRun } = attempt;
  const { user, subresource } = context;
  const options = { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1', ...context.options };
  const requested = forms[0] ?? form;
  return {
    ...{ operation, form, requested, subresource, name, namespace, user, dryRun, options },
    object: await shownIn(form, object),
    old: await shownIn(form, old),
  };
};

/** The variables of CEL expressions about a request. */
export const scopeOf = (question: Question): ReadonlyMap<string, CelValue> =>
  new Map([
    ['object', untyped(question.object ?? null)],
    ['oldObject', untyped(question.old ?? null)],
    ['request', untyped(requestOf(question))],
  ]);

const isIgnored = ({ webhook }: Hook): boolean => webhook.failurePolicy === 'Ignore';

const meetsConditions = (hook: Hook, question: Question, { attempt }: Asked): boolean => {
  const conditions = hook.conditions();
  if (conditions.length === 0) return true;
  const concluded = conclude(conditions, scopeOf(question));
  if ('isMet' in concluded) return concluded.isMet;
  if (isIgnored(hook)) return false;
  const [first = ''] = concluded.faults;
  const why = concluded.faults.length > 1 ? `[${concluded.faults.join(', ')}]` : first;
  throw forbidden(attempt.resource, shownName(attempt, question.object), why);
};

/**
 * Returns the request for a webhook, or undefined if the webhook does not apply. Throws a StatusError 403 if evaluating
 * its match conditions fails.
 */
export const questionFor = async (
  hook: Hook,
  asked: Asked,
  object: KubeObject | undefined,
): Promise<Question | undefined> => {
  const { attempt, ports, subject } = asked;
  const form = formFor(hook, asked);
  if (!form) return undefined;
  const labels = () => ports.namespaceLabels(attempt.namespace);
  const { namespaceSelector, objectSelector } = hook.webhook;
  if (!(await selectsShown(objectSelector, object, asked))) return undefined;
  if (!(await selectsNamespace(namespaceSelector, subject, object ?? attempt.old, labels))) return undefined;
  const question = await questionOf(asked, form, object);
  return meetsConditions(hook, question, asked) ? question : undefined;
};

const DEFAULT_TIMEOUT_SECONDS = 10;

const exchange = async (hook: Hook, question: Question, { ports }: Asked, isMutating: boolean): Promise<Answer> => {
  const { clientConfig = {}, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, admissionReviewVersions } = hook.webhook;
  const version = reviewVersionOf(admissionReviewVersions);
  if (!version) throw new WebhookFault('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  const asking = { uid: ports.random.uuid(), version };
  const body = await ports.call({ clientConfig, body: reviewOf(asking, question), timeoutSeconds });
  return readAnswer(body, asking, isMutating);
};

/** One call of a webhook, numbered as in upstream's audit annotations. */
export interface Call {
  hook: Hook;
  phase: 'validating' | 'mutation';
  round: number;
  index: number;
}

/** The error may quote the webhook's response, so the logged part is limited. */
const LONGEST_REASON = 512;

/**
 * Applies the failure policy to a failed call. Fail throws a StatusError 500. Ignore only writes an audit annotation
 * and a log line, but throws a StatusError 504 if the request's deadline has passed, because the webhook did not get
 * its full timeout.
 */
export const tolerate = (error: unknown, { hook, phase, round, index }: Call, { context, ports }: Asked): void => {
  if (!(error instanceof WebhookFault)) throw error;
  const { name = '' } = hook.webhook;
  if (!isIgnored(hook)) throw internalError(failedCalling(name, error.message));
  context.note({ [`failed-open.${phase}.webhook.admission.k8s.io/round_${round}_index_${index}`]: name });
  const reason = error.message.slice(0, LONGEST_REASON);
  ports.log.warn('A webhook failed, and its failure policy is Ignore', { webhook: name, phase, reason });
  ports.requireTime();
};

/** Calls a webhook. Returns undefined if the call fails and its failure policy tolerates that. */
export const ask = async (call: Call, question: Question, asked: Asked): Promise<Answer | undefined> => {
  const { hook, phase } = call;
  const { name = '' } = hook.webhook;
  try {
    const answer = await exchange(hook, question, asked, phase === 'mutation');
    const annotations = Object.entries(answer.auditAnnotations).map(([key, value]) => [`${name}/${key}`, value]);
    asked.context.note(Object.fromEntries(annotations));
    return answer;
  } catch (error) {
    tolerate(error, call, asked);
    return undefined;
  }
};
