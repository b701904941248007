import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '../../shared/clock.ts';
import type { AskSts } from './verify.ts';

const TIMEOUT_MILLISECONDS = 10_000;
/** GetCallerIdentity answers with some 500 bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface Address {
  protocol: string;
  hostname: string;
  port: string;
}

const exchange = (
  { protocol, hostname, port }: Address,
  { host, path, headers }: Parameters<AskSts>[0],
  signal: AbortSignal,
): ReturnType<AskSts> =>
  new Promise((resolve, reject) => {
    const send = protocol === 'http:' ? httpRequest : httpsRequest;
    const call = send({ hostname, port, path, headers: { ...headers, host }, signal });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) response.destroy(new Error('STS answered with too much'));
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    call.end();
  });

/**
 * Sends requests to STS, each for at most 10 seconds; redirects are returned and not followed. `endpoint`
 * (AWS_ENDPOINT_URL) replaces the address of the host: the request keeps its path, its query and its `host` header, so
 * that the signature remains valid. That is safe because only the operator sets a function's environment, and because
 * the token's own host was checked before: a token never determines where it is sent.
 */
export const makeAskSts =
  (endpoint: string | undefined, clock: Clock): AskSts =>
  async (request) => {
    const ended = new AbortController();
    const timeout = new AbortController();
    clock.sleep(TIMEOUT_MILLISECONDS, ended.signal).then(
      () => timeout.abort(new Error('STS did not answer within 10 seconds')),
      () => undefined, // STS answered in time
    );
    const address = new URL(endpoint ?? `https://${request.host}`);
    try {
      return await exchange(address, request, timeout.signal);
    } finally {
      ended.abort();
    }
  };
