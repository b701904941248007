import { forbiddenField, invalidValue, required } from '../../field-error.ts';
import { checkDns1035Label } from '../../names.ts';
import type { FieldError } from '../../resource.ts';
import { hasUsableBundle, validateBundle, validateClientConfig } from '../../webhooks/client-config.ts';
import { type Conversion, type CustomDefinition, isEstablished } from '../definition.ts';
import { reviewVersionOf } from './review.ts';

const AT = 'spec.conversion';

/** Upstream's errors name the fields of its internal type. */
const CLIENT = `${AT}.webhookClientConfig`;
const REVIEWS = `${AT}.conversionReviewVersions`;

const validateReviews = (versions: readonly string[] = []): FieldError[] => {
  if (versions.length === 0) return [required(REVIEWS)];
  const errors = versions.flatMap((version, index) => {
    const field = `${REVIEWS}[${index}]`;
    if (versions.indexOf(version) < index) return [invalidValue(field, version, 'duplicate version')];
    return checkDns1035Label(version).map((fault) => invalidValue(field, version, fault));
  });
  if (reviewVersionOf(versions) !== undefined) return errors;
  return [...errors, invalidValue(REVIEWS, versions, 'must include at least one of v1, v1beta1')];
};

/** For a definition that is served. One with a placeholder, which is replaced later, is not. */
const mayLackBundle = (old: CustomDefinition | undefined): boolean =>
  !old || !isEstablished(old) || !hasUsableBundle(old.spec.conversion?.webhook?.clientConfig ?? {});

const validateWebhook = ({ webhook = {} }: Conversion, old: CustomDefinition | undefined): FieldError[] => [
  ...(webhook.clientConfig
    ? validateClientConfig(webhook.clientConfig, { at: CLIENT, written: `${AT}.webhook.clientConfig` })
    : [required(CLIENT, 'required when strategy is set to Webhook')]),
  ...(mayLackBundle(old) ? [] : validateBundle(webhook.clientConfig ?? {}, `${CLIENT}.caBundle`)),
  ...validateReviews(webhook.conversionReviewVersions),
];

const UNUSED = 'should not be set when strategy is not set to Webhook';

/**
 * Errors of how objects are converted between versions (k8s.io/apiextensions-apiserver, validateCustomResourceConversion).
 * `old`: the definition that is stored.
 */
export const validateConversion = (
  { spec: { conversion = { strategy: 'None' } } }: CustomDefinition,
  old: CustomDefinition | undefined,
): FieldError[] => {
  const { strategy = '', webhook } = conversion;
  if (strategy === 'Webhook') return validateWebhook(conversion, old);
  if (strategy === '') return [required(`${AT}.strategy`)];
  const unknown: FieldError = {
    type: 'FieldValueNotSupported',
    field: `${AT}.strategy`,
    badValue: strategy,
    detail: 'supported values: "None", "Webhook"',
  };
  return [
    ...(strategy === 'None' ? [] : [unknown]),
    ...(webhook?.clientConfig ? [forbiddenField(CLIENT, UNUSED)] : []),
    ...(webhook?.conversionReviewVersions?.length ? [forbiddenField(REVIEWS, UNUSED)] : []),
  ];
};
