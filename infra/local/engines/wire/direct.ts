/**
 * Passes the requests of SDK clients in this process to the simulated AWS as objects: the complete protocol, without
 * sockets.
 */
import { Readable } from 'node:stream';
import { buildQueryString, type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { WireServer } from './server.ts';

const bytesOf = (body: unknown): Buffer => {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new Error('only text and bytes can be sent without a socket, not streams');
};

/** Clients that return bytes to their callers, such as that of S3, expect a stream of them. */
const contentOf = (body: string | Uint8Array): Uint8Array | Readable =>
  typeof body === 'string' ? Buffer.from(body) : Readable.from([body], { objectMode: false });

const urlOf = ({ protocol, hostname, path, query }: HttpRequest): URL => {
  const text = buildQueryString(query);
  return new URL(`${protocol}//${hostname}${path}${text === '' ? '' : `?${text}`}`);
};

/**
 * A request handler for SDK clients. A response comes after `nextTurn` of the event loop, so that callers interleave as
 * they do over a network. Rejects if the body is a stream.
 */
export const directTo = ({ answer }: Pick<WireServer, 'answer'>, nextTurn: () => Promise<unknown>) => ({
  handle: async (request: HttpRequest): Promise<{ response: HttpResponse }> => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const { method } = request;
    const [{ status, headers: answered, body }] = await Promise.all([
      answer({ method, url: urlOf(request), headers, body: bytesOf(request.body) }),
      nextTurn(),
    ]);
    return { response: new HttpResponse({ statusCode: status, headers: { ...answered }, body: contentOf(body) }) };
  },
});
