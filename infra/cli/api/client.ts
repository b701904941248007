/** A small client of the laptop's own Kubernetes API: TLS with its authority, and a token of the simulated account. */
import { type ClientRequest, request as requestPlain } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import type { Clock } from '../../../shared/clock.ts';
import type { Access } from '../kubeconfig/kubeconfig.ts';
import { makeToken } from '../kubeconfig/token.ts';
import { type Answer, type Api, parsed } from './answer.ts';

export { type Answer, type Api, ApiError, parsed, statusOf } from './answer.ts';

/** Whether the other side closed an idle connection just when the request was sent. */
const wasIdle = (call: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * One request and its complete answer, whatever its code. As Go's clients do, sends a GET again if its connection turns
 * out to be closed.
 */
export const exchange = (url: URL, options: RequestOptions, body: string | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = (url.protocol === 'http:' ? requestPlain : request)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    call.on('error', (error) => {
      if (options.method === 'GET' && wasIdle(call, error)) resolve(exchange(url, options, body));
      else reject(error);
    });
    call.end(body);
  });

/** A token that is renewed shortly before it expires. */
const makeTokenSource = (access: Access, clock: Clock) => {
  let current: Awaited<ReturnType<typeof makeToken>> | undefined;
  return async (): Promise<string> => {
    const now = clock.now();
    if (current === undefined || current.expiresAt <= now) current = await makeToken(access, now);
    return current.token;
  };
};

export const makeApi = (access: Access, clock: Clock): Api => {
  const agent = new Agent({ ca: access.caPem, keepAlive: true });
  const token = makeTokenSource(access, clock);
  return {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const headers: Record<string, string> = { authorization: `Bearer ${await token()}`, accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = contentType;
      const url = new URL(`${access.server}${path}`);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const answer = await exchange(url, { agent, method, headers }, text);
      return parsed<T>(answer);
    },
    close: () => agent.destroy(),
  };
};
