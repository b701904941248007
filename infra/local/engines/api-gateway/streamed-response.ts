import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ChunkReader } from '../lambda/pending.ts';

/** What a function sends before the body: JSON, then eight zero bytes. */
interface Prelude {
  statusCode?: number;
  headers?: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
  cookies?: string[];
}

const DELIMITER = Buffer.alloc(8);

/**
 * The delimiter must be within the first bytes. Source: API Gateway Developer Guide, "Set up a Lambda proxy integration with
 * payload response streaming".
 */
const MOST_PRELUDE_BYTES = 16 * 1024;

/** The end of the prelude in the bytes so far; undefined while it is incomplete. Throws if it is too long. */
const endOfPrelude = (head: Buffer): number | undefined => {
  const end = head.indexOf(DELIMITER);
  if ((end < 0 ? head.length : end + DELIMITER.length) > MOST_PRELUDE_BYTES)
    throw new Error(`the metadata of an answer have more than ${MOST_PRELUDE_BYTES} bytes`);
  return end < 0 ? undefined : end;
};

/** The server frames the body itself. */
const FRAMING = ['connection', 'transfer-encoding', 'content-length'];

const headersFrom = ({ headers = {}, multiValueHeaders = {}, cookies = [] }: Prelude): OutgoingHttpHeaders => {
  const result: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) result[name.toLowerCase()] = String(value);
  for (const [name, values] of Object.entries(multiValueHeaders)) result[name.toLowerCase()] = values.map(String);
  if (cookies.length > 0) result['set-cookie'] = cookies;
  for (const name of FRAMING) delete result[name];
  return result;
};

/** Resolves when the client can accept more; rejects when it has disconnected. */
const writeTo = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> | undefined => {
  if (outgoing.write(bytes)) return undefined;
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      outgoing.off('drain', settle);
      outgoing.off('close', settle);
      if (outgoing.destroyed) reject(new Error('the client has gone'));
      else resolve();
    };
    outgoing.on('drain', settle);
    outgoing.on('close', settle);
  });
};

/** A reader that answers a request with the output of a streaming function as it arrives. */
export const makeStreamedResponse = (outgoing: ServerResponse, own: OutgoingHttpHeaders) => {
  let head: Buffer | undefined = Buffer.alloc(0);

  const begin = (prelude: Prelude): void => {
    outgoing.writeHead(prelude.statusCode ?? 200, { ...headersFrom(prelude), ...own });
  };

  const pass = (bytes: Uint8Array, isLast: boolean): Promise<void> | undefined => {
    // Head, body and end are written to the socket at once if the complete response is available.
    if (isLast) outgoing.end(bytes);
    else if (bytes.length > 0) return writeTo(outgoing, bytes);
    // A client that waits for events must get the headers first.
    else outgoing.flushHeaders();
    return undefined;
  };

  const reader: ChunkReader = {
    // Returns a promise, so that exceptions become rejections as well.
    chunk: async (bytes, isLast) => {
      if (head === undefined) return pass(bytes, isLast);
      head = Buffer.concat([head, bytes]);
      const end = endOfPrelude(head);
      if (end === undefined) return undefined;
      const rest = head.subarray(end + DELIMITER.length);
      begin(JSON.parse(head.subarray(0, end).toString()) as Prelude);
      head = undefined;
      return pass(rest, isLast);
    },
  };

  return {
    reader,
    /** Whether the function has sent its prelude. */
    hasBegun: (): boolean => head === undefined,
  };
};
