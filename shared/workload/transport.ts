/** HTTPS to the API server of a workload cluster. It may be hostile, so every response is limited in size and time. */
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { hostOf, type WorkloadAccess } from './access.ts';
import { guardedLookup, type Reach, type Resolve } from './addresses.ts';
import type { Answer, Send, Sent } from './answers.ts';
import { AnswerTooLargeError, ConnectionFault, faultOf } from './faults.ts';

/** The limit for one response in bytes. A larger page of a list is requested in smaller parts (answers.ts). */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_SOCKETS = 16;

/** The options for a socket to the API server, both for requests and for WebSockets. */
export interface SocketOptions {
  host: string;
  port: number;
  ca: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: true;
  lookup: ReturnType<typeof guardedLookup>;
}

export const socketOptions = (access: WorkloadAccess, reach: Reach, resolve?: Resolve): SocketOptions => ({
  host: hostOf(access.server),
  port: Number(access.server.port || 443),
  ca: access.ca,
  ...(access.certificate === undefined ? {} : { cert: access.certificate, key: access.key }),
  rejectUnauthorized: true,
  lookup: guardedLookup(reach, resolve),
});

/** The headers that authenticate the client to the API server. */
export const credentialHeaders = ({ token }: WorkloadAccess): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLargeError(MAX_ANSWER_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Redirects are treated like other responses: none is followed. */
const exchange = (options: RequestOptions, body: string | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      const warnings = answer.headersDistinct.warning ?? [];
      textOf(answer).then((text) => resolve({ code: answer.statusCode ?? 0, text, warnings }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

export interface Transport {
  send: Send;
  close(): void;
}

/** `deadline` returns the signal that ends one request. A request without a response rejects with a ConnectionFault. */
export const openTransport = (
  access: WorkloadAccess,
  sockets: SocketOptions,
  deadline: () => AbortSignal,
): Transport => {
  const agent = new Agent({ ...sockets, keepAlive: true, maxSockets: MAX_SOCKETS });
  const send = async ({ method, path, body }: Sent): Promise<Answer> => {
    const signal = deadline();
    const text = body === undefined ? undefined : JSON.stringify(body.value);
    const headers = {
      accept: 'application/json',
      'user-agent': 'windlass',
      ...credentialHeaders(access),
      ...(text === undefined || body === undefined
        ? {}
        : { 'content-type': body.type, 'content-length': Buffer.byteLength(text) }),
    };
    try {
      return await exchange({ host: sockets.host, port: sockets.port, method, path, headers, agent, signal }, text);
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      throw new ConnectionFault(signal.aborted ? 'it did not answer in time' : faultOf(error));
    }
  };
  return { send, close: () => agent.destroy() };
};
