/** The page's connection to the Kubernetes API, with the credentials of a kubeconfig. */
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { KubeConfig } from '@kubernetes/client-node';

/** A request of the page that has been checked. */
export interface Passed {
  method: string;
  /** Includes the query, and begins with /api or /apis. */
  path: string;
  body?: string;
  contentType?: string;
  /** Aborts the request, including a watch that it has opened. */
  signal: AbortSignal;
}

export interface Passing {
  code: number;
  contentType: string;
  /** The values of the header Warning. */
  warnings: readonly string[];
  body: ReadableStream<Uint8Array>;
}

/** Sends a request, and resolves when the response starts; its body is a stream. Rejects if there is no response. */
export type Upstream = (passed: Passed) => Promise<Passing>;

const passingOf = (response: IncomingMessage): Passing => ({
  code: response.statusCode ?? 502,
  contentType: response.headers['content-type'] ?? 'application/json',
  warnings: [response.headers.warning ?? []].flat(),
  body: Readable.toWeb(response) as ReadableStream<Uint8Array>,
});

/** Tells the API that it may redirect watches to a smaller function (functions/api/gateway/redirect-watch.ts). */
const USER_AGENT = 'windlass-ui follows-redirects';

/** The target of a redirect to the same server; credentials are not sent anywhere else. */
const elsewhere = (url: URL, { statusCode, headers: { location } }: IncomingMessage): URL | undefined => {
  if (statusCode !== 307 || location === undefined) return undefined;
  const place = new URL(location, url);
  return place.origin === url.origin ? place : undefined;
};

/** Sends a request, and resolves when its response starts. Follows one redirect. */
const begin = (url: URL, options: RequestOptions, body: string | undefined, mayFollow = true): Promise<Passing> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? requestPlain : request;
    const call: ClientRequest = send(url, options, (response) => {
      // It is not an error that the page ends a watch.
      response.on('error', () => response.destroy());
      const next = mayFollow ? elsewhere(url, response) : undefined;
      if (next === undefined) return resolve(passingOf(response));
      response.resume();
      resolve(begin(next, options, body, false));
    });
    call.on('error', reject);
    call.end(body);
  });

/**
 * Like `kubectl proxy`: each request has the credentials of the current user, which their plugin renews if necessary.
 */
export const makeUpstream = (config: KubeConfig): Upstream => {
  const server = (config.getCurrentCluster()?.server ?? '').replace(/\/$/, '');
  return async ({ method, path, body, contentType, signal }) => {
    const options: RequestOptions = { method, headers: {} };
    await config.applyToHTTPSOptions(options);
    const content = contentType === undefined ? {} : { 'content-type': contentType };
    const headers = { ...options.headers, accept: 'application/json', 'user-agent': USER_AGENT, ...content };
    return begin(new URL(`${server}${path}`), { ...options, headers, signal }, body);
  };
};
