import { isObject, type JsonObject } from '../../kube-api/json.ts';
import { ExtensionError } from './error.ts';

/** The response of a lifecycle hook. If `retryAfterSeconds` is above 0, the hook blocks. */
export interface LifecycleResponse {
  message: string;
  retryAfterSeconds: number;
}

const textAt = (response: JsonObject, key: string): string => {
  const value = response[key];
  return typeof value === 'string' ? value : '';
};

/** Messages are stored in objects, and shown in conditions. */
const LONGEST_MESSAGE = 2048;

const messageOf = (response: JsonObject): string => textAt(response, 'message').slice(0, LONGEST_MESSAGE);

/**
 * The response if it is a success (validateResponseStatus). `operation` and `target` name the call in the error. Throws
 * ExtensionError, whatever the failure policy.
 */
export const successOf = (response: unknown, operation: string, target: string): JsonObject => {
  const found = isObject(response) ? response : {};
  const status = textAt(found, 'status');
  if (status === 'Success') return found;
  const what = status === 'Failure' ? 'failure response' : `unknown response status ${JSON.stringify(status)}`;
  throw new ExtensionError(`failed to ${operation} "${target}": got ${what} with message: ${messageOf(found)}`);
};

/**
 * The maximum of upstream's type, an int32: 68 years. A much longer wait would end at a date that cannot be recorded.
 */
const LONGEST_WAIT_SECONDS = 2 ** 31 - 1;

const secondsOf = ({ retryAfterSeconds }: JsonObject): number =>
  typeof retryAfterSeconds === 'number' && Number.isInteger(retryAfterSeconds) && retryAfterSeconds > 0
    ? Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS)
    : 0;

/** Combines the responses of all extensions: the shortest wait and all messages (aggregateSuccessfulResponses). */
export const aggregated = (responses: readonly JsonObject[]): LifecycleResponse => {
  const waits = responses.map(secondsOf).filter((seconds) => seconds > 0);
  return {
    message: responses
      .map(messageOf)
      .filter((message) => message !== '')
      .join(', '),
    retryAfterSeconds: waits.length > 0 ? Math.min(...waits) : 0,
  };
};
