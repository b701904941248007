import { invalidValue, required } from '../../../kube-api/field-error.ts';
import { checkDns1035Label, checkSubdomain } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import { validateClientConfig } from '../../../kube-api/webhooks/client-config.ts';
import type { Rule, Webhook, WebhookConfiguration } from '../../../kube-api/webhooks/configuration.ts';
import { reviewVersionOf } from '../../../kube-api/webhooks/review.ts';
import { oneOf, validateAdmissionRule } from './admission-rules.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { validateSelectorFields } from './selector-fields.ts';

/**
 * Rules for the configurations of admission webhooks, with upstream's messages, and for features that this server does
 * not support.
 */

const SEGMENTS = 3;

const validateName = (name: string, at: string): FieldError[] => {
  if (name === '') return [required(at)];
  const faults = checkSubdomain(name);
  if (faults.length > 0) return [invalidValue(at, name, faults.join(','))];
  return name.split('.').length < SEGMENTS
    ? [invalidValue(at, name, 'should be a domain with at least three segments separated by dots')]
    : [];
};

const KNOWN_REVIEWS = 'v1, v1beta1';

const validateReviews = (versions: readonly string[], at: string): FieldError[] => {
  if (versions.length === 0) return [required(at, `must specify one of ${KNOWN_REVIEWS}`)];
  const errors = versions.flatMap((version, index) => {
    const field = `${at}[${index}]`;
    if (versions.indexOf(version) < index) return [invalidValue(field, version, 'duplicate version')];
    return checkDns1035Label(version).map((fault) => invalidValue(field, version, fault));
  });
  if (reviewVersionOf(versions) !== undefined) return errors;
  return [...errors, invalidValue(at, versions, `must include at least one of ${KNOWN_REVIEWS}`)];
};

const validateSideEffects = (sideEffects: string | undefined, at: string): FieldError[] => {
  const allowed = ['None', 'NoneOnDryRun'];
  if (sideEffects === undefined) return [required(at, `must specify one of ${allowed.join(', ')}`)];
  return oneOf(at, sideEffects, allowed);
};

const validateTimeout = (seconds: number | undefined, at: string): FieldError[] =>
  seconds === undefined || (seconds >= 1 && seconds <= 30)
    ? []
    : [invalidValue(at, seconds, 'the timeout value must be between 1 and 30 seconds')];

const validateWebhook = (webhook: Webhook, at: string): FieldError[] => {
  const { rules = [], clientConfig = {}, matchConditions = [] } = webhook;
  return [
    ...validateName(webhook.name ?? '', `${at}.name`),
    ...rules.flatMap((rule, index) => validateAdmissionRule(rule, `${at}.rules[${index}]`)),
    ...oneOf(`${at}.failurePolicy`, webhook.failurePolicy, ['Fail', 'Ignore']),
    ...oneOf(`${at}.matchPolicy`, webhook.matchPolicy, ['Equivalent', 'Exact']),
    ...validateSideEffects(webhook.sideEffects, `${at}.sideEffects`),
    ...validateTimeout(webhook.timeoutSeconds, `${at}.timeoutSeconds`),
    ...oneOf(`${at}.reinvocationPolicy`, webhook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...validateSelectorFields(webhook.namespaceSelector, `${at}.namespaceSelector`),
    ...validateSelectorFields(webhook.objectSelector, `${at}.objectSelector`),
    ...validateClientConfig(clientConfig, { at: `${at}.clientConfig` }),
    ...validateReviews(webhook.admissionReviewVersions ?? [], `${at}.admissionReviewVersions`),
    ...validateMatchConditions(matchConditions, `${at}.matchConditions`),
  ];
};

/** All errors of a configuration. Pure. */
export const validateWebhooks = ({ webhooks = [] }: WebhookConfiguration): FieldError[] => {
  const names = webhooks.map(({ name }) => name);
  return webhooks.flatMap((webhook, index) => {
    const at = `webhooks[${index}]`;
    const { name } = webhook;
    const isTaken = names.indexOf(name) < index;
    return [
      ...validateWebhook(webhook, at),
      ...(isTaken ? [{ type: 'FieldValueDuplicate', field: `${at}.name`, badValue: name, detail: '' } as const] : []),
    ];
  });
};

const withScope = (rule: Rule): Rule => ({ ...rule, scope: rule.scope ?? '*' });

const HTTPS_PORT = 443;

const defaultWebhook = (webhook: Webhook): Webhook => {
  const { clientConfig, rules, matchConditions } = webhook;
  const service = clientConfig?.service;
  return {
    ...webhook,
    ...(service ? { clientConfig: { ...clientConfig, service: { port: HTTPS_PORT, ...service } } } : {}),
    failurePolicy: webhook.failurePolicy ?? 'Fail',
    matchPolicy: webhook.matchPolicy ?? 'Equivalent',
    namespaceSelector: webhook.namespaceSelector ?? {},
    objectSelector: webhook.objectSelector ?? {},
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    rules: rules && rules.length > 0 ? rules.map(withScope) : undefined,
    matchConditions: matchConditions && matchConditions.length > 0 ? matchConditions : undefined,
  };
};

/** Sets upstream's defaults in a configuration. Pure. */
export const defaultWebhooks = <T extends WebhookConfiguration>(configuration: T, more: Webhook = {}): T => ({
  ...configuration,
  // Go omits empty lists.
  webhooks:
    configuration.webhooks && configuration.webhooks.length > 0
      ? configuration.webhooks.map((webhook) => ({ ...more, ...defaultWebhook(webhook) }))
      : undefined,
});
