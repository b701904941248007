import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';

/** A server that is compared. */
export interface Endpoint {
  url: string;
  ca?: string;
  token?: string;
}

export interface Asked {
  method: string;
  path: string;
  /** Strings and bytes are sent unchanged, all other values as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Receives each event of a watch as it arrives; returns `true` to end the watch. */
  onEvent?(event: unknown): boolean;
}

export interface Answered {
  code: number;
  headers: Readonly<Record<string, string>>;
  /** The decoded body: JSON, the events of a watch, or text if it is neither. */
  body: unknown;
}

export type Send = (asked: Asked) => Promise<Answered>;

/** A client that keeps its connections alive until `close`. */
export const connect = ({ url, ca, token }: Endpoint): { send: Send; close(): void } => {
  const secure = url.startsWith('https:');
  const agent = secure ? new Agent({ keepAlive: true, ca }) : new PlainAgent({ keepAlive: true });
  const request = secure ? tlsRequest : plainRequest;
  const send: Send = ({ method, path, body, headers = {}, onEvent }) =>
    new Promise((resolve, reject) => {
      const bytes = bytesOf(body);
      const outgoing = request(
        url,
        {
          method,
          // The path is separate, because Node would normalise it as part of the URL.
          path,
          agent,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          const finish = (): void =>
            resolve({
              code: answer.statusCode ?? 0,
              headers: headersOf(answer.headers),
              body: read(Buffer.concat(chunks).toString(), path),
            });
          const isOver = onEvent ? eventReader(onEvent) : () => false;
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (!isOver(chunk)) return;
            finish();
            answer.destroy();
          });
          answer.on('error', reject);
          answer.on('end', finish);
        },
      );
      // A server may refuse a body by closing the connection, which counts as an answer.
      outgoing.on('error', ({ message }) => resolve({ code: 0, headers: {}, body: { message } }));
      outgoing.end(bytes);
    });
  return { send, close: () => agent.destroy() };
};

const bytesOf = (body: unknown): Buffer | undefined => {
  if (body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  return Buffer.from(JSON.stringify(body));
};

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const read = (text: string, path: string): unknown => {
  try {
    if (/[?&]watch=(true|1)/.test(path) && !text.startsWith('{"kind":"Status"')) return eventsOf(text);
    return text === '' ? '' : JSON.parse(text);
  } catch {
    return text;
  }
};

/** Passes each event to `onEvent` once its line is complete. Returns whether the watch may end. */
const eventReader = (onEvent: NonNullable<Asked['onEvent']>): ((chunk: Buffer) => boolean) => {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    return eventsOf(lines.join('\n')).some(onEvent);
  };
};

/** The events of a watch. Empty lines are skipped, and so are bookmarks that only keep the connection alive. */
const eventsOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !(line.includes('"BOOKMARK"') && !line.includes('initial-events-end')))
    .map((line) => JSON.parse(line) as unknown);
