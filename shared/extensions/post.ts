/**
 * Requests to servers that an administrator has configured. TLS is verified, no redirect is followed, and every
 * response is limited in size.
 */
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup, type Reach, type Resolve, refusedAddress } from '../workload/addresses.ts';
import { ConnectionFault, faultOf } from '../workload/faults.ts';
import type { Deadline } from './transport.ts';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface HttpsOptions {
  deadline: Deadline;
  /** The addresses to which connections are allowed. */
  reach: Reach;
  /** For tests: the resolver of names. */
  resolve?: Resolve;
}

export interface Posted {
  /** An https URL without user information and fragment. */
  url: string;
  /** Sent as JSON. */
  body: object;
  /**
   * The authorities that may have signed the certificate, as PEM in base64. Without it, the public authorities are
   * trusted.
   */
  caBundle?: string | undefined;
  /** The field that contains the bundle, which errors name. */
  authority: string;
  timeoutSeconds: number;
  /** The message when the time is over. */
  late: string;
}

export interface PostAnswer {
  code: number;
  text: string;
}

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      throw new ConnectionFault(`the response has more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const exchange = (options: RequestOptions, body: string): Promise<PostAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      textOf(answer).then((text) => resolve({ code: answer.statusCode ?? 0, text }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const HTTPS_PORT = 443;

const placeOf = (url: string): { host: string; port: number; path: string } => {
  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(port || HTTPS_PORT), path: `${pathname}${search}` };
};

/** Posts JSON. Throws a ConnectionFault that says why there is no response, without quoting the server. */
export const makePost =
  ({ deadline, reach, resolve }: HttpsOptions) =>
  async ({ url, body: given, caBundle, authority, timeoutSeconds, late }: Posted): Promise<PostAnswer> => {
    const { host, port, path } = placeOf(url);
    const refused = isIP(host) ? refusedAddress(host, reach) : undefined;
    if (refused) throw new ConnectionFault(`the address ${host} ${refused}`);
    const body = JSON.stringify(given);
    const signal = deadline(timeoutSeconds * 1000);
    const options: RequestOptions = {
      host,
      port,
      path,
      signal,
      method: 'POST',
      agent: false,
      // A list, because with an empty text the public authorities would be trusted.
      ...(caBundle === undefined ? {} : { ca: [Buffer.from(caBundle, 'base64').toString('utf8')] }),
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
      return await exchange(options, body);
    } catch (error) {
      throw new ConnectionFault(signal.aborted ? late : faultOf(error, authority));
    }
  };
