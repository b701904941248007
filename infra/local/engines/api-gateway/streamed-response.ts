import type { ChunkReader } from '../lambda/pending.ts';

/** What a function sends before the body: JSON, then eight zero bytes. */
interface Prelude {
  statusCode?: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
}

const DELIMITER = Buffer.alloc(8);

const headersFrom = (prelude: Prelude): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(prelude.headers ?? {})) headers.set(name, String(value));
  for (const [name, values] of Object.entries(prelude.multiValueHeaders ?? {})) {
    headers.delete(name);
    for (const value of values) headers.append(name, value);
  }
  for (const cookie of prelude.cookies ?? []) headers.append('set-cookie', cookie);
  // The server frames the body itself.
  for (const name of ['connection', 'transfer-encoding', 'content-length']) headers.delete(name);
  return headers;
};

const WITHOUT_BODY = [204, 205, 304];

/** A response that begins as soon as a streaming function has sent its prelude, and a reader that feeds it. */
export const makeStreamedResponse = () => {
  const begun = Promise.withResolvers<Response | undefined>();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let head: Buffer | undefined = Buffer.alloc(0);

  const begin = (prelude: Prelude): void => {
    const status = prelude.statusCode ?? 200;
    const init = { status, headers: headersFrom(prelude) };
    begun.resolve(new Response(WITHOUT_BODY.includes(status) ? null : readable, init));
  };

  const reader: ChunkReader = {
    chunk: async (bytes) => {
      if (head === undefined) return writer.write(bytes);
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf(DELIMITER);
      if (end < 0) return;
      const rest = head.subarray(end + DELIMITER.length);
      begin(JSON.parse(head.subarray(0, end).toString()) as Prelude);
      head = undefined;
      if (rest.length > 0) await writer.write(new Uint8Array(rest));
    },
  };

  return {
    reader,
    /** Undefined when the function ended without a prelude. Rejects when it failed before it. */
    response: begun.promise,
    ended: (): void => {
      begun.resolve(undefined);
      writer.close().catch(() => undefined); // the client has gone
    },
    failed: (error: Error): void => {
      begun.reject(error);
      writer.abort(error).catch(() => undefined);
    },
  };
};
