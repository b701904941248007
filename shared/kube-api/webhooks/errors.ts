import { isObject } from '../json.ts';
import { type StatusDetails, StatusError } from '../status-error.ts';

/** A webhook did not answer, or its response is invalid. Its failurePolicy decides whether the request fails. */
export class WebhookFault extends Error {
  override readonly name = 'WebhookFault';
}

/** Corresponds to upstream's NewInternalError. */
export const internalError = (why: string): StatusError =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, {
    causes: [{ message: why }] as NonNullable<StatusDetails['causes']>,
  });

export const failedCalling = (name: string, why: string): string =>
  `failed calling webhook ${JSON.stringify(name)}: ${why}`;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Turns a webhook's refusal into the response to the client (plugin/webhook/errors ToStatusErr). */
export const refusal = (name: string, result: unknown): StatusError => {
  const { code, message, reason, details } = isObject(result) ? result : {};
  const deniedBy = `admission webhook ${JSON.stringify(name)} denied the request`;
  const given = isText(message) ? message : reason;
  const isRefusal = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600;
  return new StatusError(
    isRefusal ? code : 400,
    isText(reason) ? reason : '',
    isText(given) ? `${deniedBy}: ${given}` : `${deniedBy} without explanation`,
    isObject(details) ? (details as StatusDetails) : undefined,
  );
};
