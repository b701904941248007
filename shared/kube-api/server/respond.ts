import { withoutQuotes } from '../../decode/describe-error.ts';
import { ExpiredError, SealError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { failure, StatusError } from '../status-error.ts';
import { warningHeader, warningHeaders } from './warnings.ts';

type Headers = Record<string, string>;

export const respond = (
  body: unknown,
  { status = 200, format = 'json', headers = {}, warnings = [] }: RespondOptions = {},
): Response => {
  const text = format === 'yaml' ? undefined : JSON.stringify(body);
  const response = new Response(text ?? yamlOf(body), {
    status,
    headers: { 'content-type': `application/${format}`, 'cache-control': 'no-cache, private', ...headers },
  });
  if (text !== undefined) texts.set(response, text);
  addWarnings(response, warnings);
  return response;
};

const texts = new WeakMap<Response, string>();

/**
 * The complete body of a response of `respond`, if it is available: reading it from the response takes several turns of
 * the event loop.
 */
export const textOf = (response: Response): string | undefined => texts.get(response);

/** As a stream, because the YAML writer is loaded at its first use: few clients request it. */
const yamlOf = (body: unknown): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: async (controller) => {
      const { stringify } = await import('../yaml.ts');
      controller.enqueue(new TextEncoder().encode(stringify(body)));
      controller.close();
    },
  });

/** A warning that precedes all others. */
export const addFirstWarning = (response: Response, warning: string): void => {
  const others = response.headers.get('warning');
  response.headers.set('warning', warningHeader(warning));
  if (others !== null) response.headers.append('warning', others);
};

/** Adds all warnings of a response, within the limits of its headers. */
export const addWarnings = (response: Response, warnings: readonly string[]): void => {
  for (const header of warningHeaders(warnings)) response.headers.append('warning', header);
};

export interface RespondOptions {
  status?: number;
  format?: 'json' | 'yaml';
  headers?: Headers;
  warnings?: readonly string[];
}

/** The meaning of errors of the storage and of AWS for a client, by their literal names (shared/errors.ts). */
const MEANINGS: Readonly<Record<string, { code: number; reason: string; retryAfterSeconds?: number }>> = {
  Conflict: { code: 409, reason: 'Conflict' },
  NotFound: { code: 404, reason: 'NotFound' },
  AlreadyExists: { code: 409, reason: 'AlreadyExists' },
  Expired: { code: 410, reason: 'Expired' },
  TooLarge: { code: 413, reason: 'RequestEntityTooLarge' },
  Throttled: { code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
  Transient: { code: 503, reason: 'ServiceUnavailable', retryAfterSeconds: 1 },
};

/**
 * The API's own form of any error. Errors that are not meant for clients are logged, and returned as an internal error.
 * Causes of refusals are logged, too.
 */
export const toStatusError = (error: unknown, log: Log): StatusError => {
  if (error instanceof StatusError) {
    if (error.cause !== undefined) logFailure(error.cause, log);
    return error;
  }
  if (error instanceof SealError) {
    log.error('a Secret could not be read or written', { reason: error.message });
    return new StatusError(500, 'InternalError', `Internal error occurred: ${error.message}`);
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const meaning = MEANINGS[name];
  if (!meaning) {
    logFailure(error, log);
    return new StatusError(500, 'InternalError', 'Internal error occurred: see the log of the API server');
  }
  const { code, reason, retryAfterSeconds } = meaning;
  const metadata = error instanceof ExpiredError && error.continue ? { continue: error.continue } : {};
  return new StatusError(code, reason, message, retryAfterSeconds ? { retryAfterSeconds } : undefined, metadata);
};

const logFailure = (error: unknown, log: Log): void => {
  const { name, message, stack } = withoutQuotes(error);
  log.error('Request failed', { error: name, reason: message, stack });
};

export const respondFailure = (error: StatusError): Response => {
  const wait = error.details?.retryAfterSeconds;
  const headers: Headers = wait ? { 'retry-after': String(wait) } : {};
  return respond(failure(error), { status: error.code, headers, warnings: error.warnings });
};
