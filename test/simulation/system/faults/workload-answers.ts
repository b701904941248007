/** Answers of the API server of a workload cluster, without the server: it is overloaded, or something before it fails. */
import { type ClientRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Refusal } from './refusal-codes.ts';

/** In seconds; what API servers answer if they limit requests. */
const RETRY_AFTER = '1';

const TOO_MANY = 429;

/** The text with which an API server limits requests; it is no Status. */
const TOO_MANY_TEXT = 'Too many requests, please try again later.\n';

/**
 * Answers the request, which does not reach the server. Its connection ends, as it may when a server refuses a request
 * without reading it.
 */
export const refuseAtServer = (
  request: ClientRequest,
  { code, status, message }: Pick<Refusal, 'code' | 'status' | 'message'>,
): void => {
  const body = { apiVersion: 'v1', kind: 'Status', status: 'Failure', message, reason: code, code: status };
  const answer = new IncomingMessage(new Socket());
  answer.statusCode = status;
  answer.headers =
    status === TOO_MANY
      ? { 'content-type': 'text/plain; charset=utf-8', 'retry-after': RETRY_AFTER }
      : { 'content-type': 'application/json' };
  answer.push(status === TOO_MANY ? TOO_MANY_TEXT : JSON.stringify(body));
  answer.push(null);
  answer.once('close', () => request.destroy());
  request.emit('response', answer);
};
