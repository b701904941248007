/**
 * Passes the requests of the functions' SDK clients to the simulated AWS in the main thread as messages: the same
 * requests and responses, without sockets, and without writing and parsing HTTP twice.
 */
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import http, { type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { DirectAnswer, DirectRequest } from './messages.ts';

/** The parts of a response that SDK clients read. A text body is already complete. */
type Response = (Readable | Buffer) & { statusCode?: number; headers?: Readonly<Record<string, string>> };

type OnResponse = (response: Response) => void;

/** Clients set the timeouts of the socket; those of complete requests are separate timers. */
const SOCKET = { connecting: false, setKeepAlive: () => {}, setTimeout: () => {}, removeListener: () => {} };

const created = channel('http.client.request.created');

/** Protocols whose requests are text. */
const TEXT = /json|x-www-form-urlencoded/;

/**
 * Text is cheaper to pass on. Bytes are copied, so that a message does not include the pool to which a Buffer belongs.
 */
const bodyOf = (chunks: readonly (string | Uint8Array)[], contentType = ''): string | Uint8Array => {
  const [only = ''] = chunks;
  if (typeof only === 'string' && chunks.length < 2) return only;
  const bytes = Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
  return TEXT.test(contentType) ? bytes.toString() : new Uint8Array(bytes);
};

const lowerCase = (headers: RequestOptions['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** The result of `http.request`, with the parts that SDK clients and observers of requests use. */
class Outgoing extends EventEmitter {
  readonly socket = SOCKET;
  readonly method: string;
  readonly path: string;
  readonly #headers: Record<string, string>;
  readonly #chunks: (string | Uint8Array)[] = [];
  readonly #send: (request: DirectRequest) => void;

  constructor({ method = 'GET', path, headers }: RequestOptions, send: (request: DirectRequest) => void) {
    super();
    this.method = method;
    this.path = path ?? '/';
    this.#headers = lowerCase(headers);
    this.#send = send;
  }

  getHeader(name: string): string | undefined {
    return this.#headers[name.toLowerCase()];
  }

  getHeaders(): Record<string, string> {
    return { ...this.#headers };
  }

  setHeader(name: string, value: string): void {
    this.#headers[name.toLowerCase()] = value;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  /** Nothing is sent before the end. */
  flushHeaders(): void {}

  end(chunk?: string | Uint8Array): void {
    if (chunk !== undefined) this.#chunks.push(chunk);
    const { method, path } = this;
    const body = bodyOf(this.#chunks, this.getHeader('content-type'));
    this.#send({ method, path, headers: this.#headers, body });
  }

  destroy(error?: Error): void {
    if (error) this.emit('error', error);
    this.emit('close');
  }
}

/**
 * Clients that return streams, such as that of S3, receive bytes; all others receive text, which they need not collect.
 */
const responseOf = ({ status, headers, body }: DirectAnswer): Response =>
  Object.assign(typeof body === 'string' ? Buffer.from(body) : Readable.from([Buffer.from(body)]), {
    statusCode: status,
    headers,
    complete: true,
  });

type Take = (id: number, answer: DirectAnswer | undefined) => void;

/** Whether a request is addressed to `endpoint`, a URL. */
export const isTo = (endpoint: string): ((options: RequestOptions) => boolean) => {
  const { hostname, port } = new URL(endpoint);
  return (options) => options.host === hostname && String(options.port) === port;
};

/**
 * From now on, requests of this thread for which `isDirect` holds are not sent over the network. `open` is called for
 * each of them when it is created, and returns the function that sends it. As all others, they are reported to
 * subscribers of Node's channel for client requests. Returns the function that accepts a response, or undefined if the
 * request could not be answered.
 */
export const sendDirectly = (
  isDirect: (options: RequestOptions) => boolean,
  open: (id: number) => (request: DirectRequest) => void,
): Take => {
  const waiting = new Map<number, (answer: DirectAnswer | undefined) => void>();
  const overNetwork = http.request;
  let lastId = 0;

  const request = (options: RequestOptions, onResponse?: OnResponse): Outgoing => {
    lastId += 1;
    const id = lastId;
    const outgoing = new Outgoing(options, open(id));
    if (onResponse) outgoing.once('response', onResponse);
    outgoing.once('close', () => waiting.delete(id));
    waiting.set(id, (answer) => {
      if (answer === undefined) {
        outgoing.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
        return;
      }
      outgoing.emit('response', responseOf(answer));
      outgoing.emit('close');
    });
    created.publish({ request: outgoing });
    return outgoing;
  };

  Object.assign(http, {
    request: (...args: unknown[]) => {
      const [options, onResponse] = args as [RequestOptions, OnResponse?];
      return isDirect(options)
        ? request(options, onResponse)
        : overNetwork(...(args as Parameters<typeof http.request>));
    },
  });
  return (id, answer) => waiting.get(id)?.(answer);
};
