/**
 * Loaded into the functions that ministack runs, because its runtime does not support streaming handlers, and its API
 * Gateway does not support streamed responses. A handler responds once instead: with its complete output, or, for a
 * watch, with the output of a few seconds. A Kubernetes API may end a watch at any time.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** Long enough for the initial output, and short enough for a client that watches for a few seconds. */
const WATCH_MILLISECONDS = 3_000;

interface Prelude {
  statusCode?: number;
  headers?: Record<string, string>;
}

interface ProxyEvent {
  queryStringParameters?: Record<string, string> | null;
}

const isWatch = ({ queryStringParameters }: ProxyEvent): boolean =>
  /^(true|1)$/.test(queryStringParameters?.watch ?? '');

type Streamed = PassThrough & { prelude?: Prelude };

const streamifyResponse =
  (handler: (event: ProxyEvent, stream: Streamed, context: unknown) => Promise<void>) =>
  async (event: ProxyEvent, context: unknown) => {
    const stream: Streamed = new PassThrough();
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = Promise.all([handler(event, stream, context), once(stream, 'end')]);
    const whole = ended.then(() => true);
    // For all other requests, waits for the complete output, however slow the computer is.
    const isWhole = await (isWatch(event) ? Promise.race([whole, wait(WATCH_MILLISECONDS, false)]) : whole);
    if (!isWhole) {
      // The handler's later output and errors are irrelevant.
      ended.catch(() => undefined);
      stream.destroy();
    }
    const { statusCode = 200, headers = {} } = stream.prelude ?? {};
    return { statusCode, headers, body: Buffer.concat(chunks).toString(), isBase64Encoded: false };
  };

const from = (stream: Streamed, prelude: Prelude): Streamed => Object.assign(stream, { prelude });

Object.assign(globalThis, { awslambda: { streamifyResponse, HttpResponseStream: { from } } });
