/**
 * Loaded into the functions that ministack runs: its runtime supports no streaming handlers, and its API Gateway no
 * streamed responses. Such a handler becomes one that responds at once: with its complete output, or, for a watch, with
 * its output of some seconds. A Kubernetes API may end a watch at any time.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/** The initial output is complete by then, and a client that reads for a while has seen it. */
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
    // Everything else is waited for, however long a busy computer takes.
    const isWhole = await (isWatch(event) ? Promise.race([whole, wait(WATCH_MILLISECONDS, false)]) : whole);
    if (!isWhole) {
      // Later output of the handler, and its errors, do not matter any more.
      ended.catch(() => undefined);
      stream.destroy();
    }
    const { statusCode = 200, headers = {} } = stream.prelude ?? {};
    return { statusCode, headers, body: Buffer.concat(chunks).toString(), isBase64Encoded: false };
  };

const from = (stream: Streamed, prelude: Prelude): Streamed => Object.assign(stream, { prelude });

Object.assign(globalThis, { awslambda: { streamifyResponse, HttpResponseStream: { from } } });
