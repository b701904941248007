/**
 * The requests of the functions' SDK clients to the simulated AWS, passed to the main thread as messages: the same
 * requests and answers, without sockets, and without writing and parsing HTTP twice.
 */
import { EventEmitter } from 'node:events';
import http, { type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { DirectAnswer, DirectRequest } from './messages.ts';

/** The parts of a response that SDK clients read. A body of text is already complete. */
type Response = (Readable | Buffer) & { statusCode?: number; headers?: Readonly<Record<string, string>> };

type OnResponse = (response: Response) => void;

/** Clients set its timeouts; those of whole requests are timers of their own. */
const SOCKET = { connecting: false, setKeepAlive: () => {}, setTimeout: () => {}, removeListener: () => {} };

/** Protocols whose requests are text. */
const TEXT = /json|x-www-form-urlencoded/;

/** Text is cheaper to pass on. Bytes are copied, so that a message does not carry the pool that a Buffer is part of. */
const bodyOf = (chunks: readonly (string | Uint8Array)[], contentType = ''): string | Uint8Array => {
  const [only = ''] = chunks;
  if (typeof only === 'string' && chunks.length < 2) return only;
  const bytes = Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
  return TEXT.test(contentType) ? bytes.toString() : new Uint8Array(bytes);
};

/** What `http.request` returns, as far as SDK clients use it. */
class Outgoing extends EventEmitter {
  readonly socket = SOCKET;
  readonly #chunks: (string | Uint8Array)[] = [];
  readonly #send: (chunks: readonly (string | Uint8Array)[]) => void;

  constructor(send: (chunks: readonly (string | Uint8Array)[]) => void) {
    super();
    this.#send = send;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  end(chunk?: string | Uint8Array): void {
    if (chunk !== undefined) this.#chunks.push(chunk);
    this.#send(this.#chunks);
  }

  destroy(error?: Error): void {
    if (error) this.emit('error', error);
    this.emit('close');
  }
}

/** Clients that return streams, such as that of S3, receive bytes; all others text, which they need not collect. */
const responseOf = ({ status, headers, body }: DirectAnswer): Response =>
  Object.assign(typeof body === 'string' ? Buffer.from(body) : Readable.from([Buffer.from(body)]), {
    statusCode: status,
    headers,
    complete: true,
  });

const lowerCase = (headers: RequestOptions['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));

/**
 * From now on, requests of this thread to `endpoint` go to `send`; others take the network. `prepare` may change the
 * headers of a request, and returns what is called when it has been answered. Returns the function that takes an answer,
 * or undefined if the request could not be answered.
 */
export const sendDirectly = (
  endpoint: string,
  send: (id: number, request: DirectRequest) => void,
  prepare: (headers: Record<string, string>) => () => void,
): ((id: number, answer: DirectAnswer | undefined) => void) => {
  const { hostname, port } = new URL(endpoint);
  const open = new Map<number, (answer: DirectAnswer | undefined) => void>();
  const overNetwork = http.request;
  let lastId = 0;

  const request = (options: RequestOptions, onResponse: OnResponse): Outgoing => {
    lastId += 1;
    const id = lastId;
    const headers = lowerCase(options.headers);
    const ended = prepare(headers);
    const outgoing = new Outgoing((chunks) => {
      const { method = 'GET', path = '/' } = options;
      send(id, { method, path: path ?? '/', headers, body: bodyOf(chunks, headers['content-type']) });
    });
    outgoing.once('close', () => {
      open.delete(id);
      ended();
    });
    open.set(id, (answer) => {
      if (answer === undefined) {
        outgoing.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
        return;
      }
      const response = responseOf(answer);
      outgoing.emit('response', response);
      onResponse(response);
      outgoing.emit('close');
    });
    return outgoing;
  };

  Object.assign(http, {
    request: (...args: unknown[]) => {
      const [options, onResponse] = args as [RequestOptions, OnResponse];
      return options.host === hostname && String(options.port) === port
        ? request(options, onResponse)
        : overNetwork(...(args as Parameters<typeof http.request>));
    },
  });
  return (id, answer) => open.get(id)?.(answer);
};
