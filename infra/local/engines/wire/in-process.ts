import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { WireResponse } from './call.ts';
import type { ReceivedRequest } from './server.ts';

/** A request with a complete body, with the parts that servers read. */
class Received extends EventEmitter {
  readonly method: string;
  readonly url: string;
  readonly headers: ReceivedRequest['headers'];

  constructor({ method, url, headers }: ReceivedRequest) {
    super();
    this.method = method;
    this.url = `${url.pathname}${url.search}`;
    this.headers = headers;
  }
}

/** The parts of a response with which servers write a complete answer. */
class Answer {
  statusCode = 200;
  readonly #headers: Record<string, string> = {};
  readonly #done: (answer: WireResponse) => void;

  constructor(done: (answer: WireResponse) => void) {
    this.#done = done;
  }

  setHeader(name: string, value: unknown): void {
    this.#headers[name.toLowerCase()] = String(value);
  }

  end(body: string | Uint8Array = ''): void {
    this.#done({ status: this.statusCode, headers: this.#headers, body });
  }
}

/**
 * Passes requests to an HTTP server in this process, which need not listen: without a socket or a stream, and nothing
 * is written or parsed twice. The server must read the body through the events of the request, and answer with
 * `setHeader` and a single `end`. Rejects if the server throws before it waits for anything.
 */
export const inProcess =
  (server: Server) =>
  (request: ReceivedRequest): Promise<WireResponse> =>
    new Promise((resolve) => {
      const received = new Received(request);
      server.emit('request', received, new Answer(resolve));
      if (request.body.length > 0) received.emit('data', request.body);
      received.emit('end');
    });
