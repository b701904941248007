/**
 * Calls of extensions over HTTPS: only the CA bundle is trusted, redirects are not followed, and every answer is
 * limited in size.
 */
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { tryJson } from '../decode/json.ts';
import { hookPath } from '../plan/hooks/catalog.ts';
import { UnansweredError } from '../plan/hooks/error.ts';
import { guardedLookup, type Reach, type Resolve, refusedAddress } from '../workload/addresses.ts';
import { faultOf } from '../workload/faults.ts';
import type { CallExtension, Deadline, ExtensionCall } from './transport.ts';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

const AUTHORITY = 'spec.clientConfig.caBundle';

export interface HttpsOptions {
  deadline: Deadline;
  /** Which addresses may be connected to. */
  reach: Reach;
  /** For tests: the resolver of names. */
  resolve?: Resolve;
}

const failed = (why: string): UnansweredError => new UnansweredError(`http call failed: ${why}`);

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw failed(`the response has more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

interface Answer {
  code: number;
  text: string;
}

const exchange = (options: RequestOptions, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      textOf(answer).then((text) => resolve({ code: answer.statusCode ?? 0, text }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** `https://host/prefix` with the path of the hook behind its own, and the timeout as upstream passes it. */
const addressOf = ({
  config,
  hook,
  handler,
  timeoutSeconds,
}: ExtensionCall): { host: string; port: number; path: string } => {
  const { hostname, port, pathname } = new URL(config.spec.clientConfig.url ?? '');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 443),
    path: `${pathname.replace(/\/+$/, '')}${hookPath(hook, handler)}?timeout=${timeoutSeconds}s`,
  };
};

const bodyOf = ({ code, text }: Answer): unknown => {
  if (code !== 200) throw failed(`got response with status code ${code} != 200`);
  const body = tryJson(text);
  if (body === undefined) throw failed('failed to decode response');
  return body;
};

/** What a server answers with another status than 200 is not quoted: tenants see the condition that shows the error. */
export const makeHttpsCall =
  ({ deadline, reach, resolve }: HttpsOptions): CallExtension =>
  async (call) => {
    const { host, port, path } = addressOf(call);
    const refused = isIP(host) ? refusedAddress(host, reach) : undefined;
    if (refused) throw failed(`the address ${host} ${refused}`);
    const body = JSON.stringify(call.request);
    const signal = deadline(call.timeoutSeconds * 1000);
    const options: RequestOptions = {
      host,
      port,
      path,
      signal,
      method: 'POST',
      agent: false,
      ca: Buffer.from(call.config.spec.clientConfig.caBundle ?? '', 'base64').toString('utf8'),
      rejectUnauthorized: true,
      lookup: guardedLookup(reach, resolve),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'windlass',
      },
    };
    try {
      return bodyOf(await exchange(options, body));
    } catch (error) {
      if (error instanceof UnansweredError) throw error;
      throw failed(signal.aborted ? 'http request timeout expired' : faultOf(error, AUTHORITY));
    }
  };
