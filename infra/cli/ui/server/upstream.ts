/** The Kubernetes API behind the page, with the credentials of a kubeconfig. */
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { KubeConfig } from '@kubernetes/client-node';

/** A request of the page that has been judged. */
export interface Passed {
  method: string;
  /** With its query; begins with /api or /apis. */
  path: string;
  body?: string;
  contentType?: string;
  /** Ends the request, and a watch that it has opened. */
  signal: AbortSignal;
}

export interface Passing {
  code: number;
  contentType: string;
  /** The values of the header Warning. */
  warnings: readonly string[];
  body: ReadableStream<Uint8Array>;
}

/** Sends a request and resolves when the answer begins; its body is a stream. Rejects where no answer comes. */
export type Upstream = (passed: Passed) => Promise<Passing>;

const passingOf = (response: IncomingMessage): Passing => ({
  code: response.statusCode ?? 502,
  contentType: response.headers['content-type'] ?? 'application/json',
  warnings: [response.headers.warning ?? []].flat(),
  body: Readable.toWeb(response) as ReadableStream<Uint8Array>,
});

/** As `kubectl proxy`: each request has the credentials of the current user, renewed by their plugin where needed. */
export const makeUpstream = (config: KubeConfig): Upstream => {
  const server = (config.getCurrentCluster()?.server ?? '').replace(/\/$/, '');
  return async ({ method, path, body, contentType, signal }) => {
    const options: RequestOptions = { method, headers: {} };
    await config.applyToHTTPSOptions(options);
    const content = contentType === undefined ? {} : { 'content-type': contentType };
    const headers = { ...options.headers, accept: 'application/json', ...content };
    const url = new URL(`${server}${path}`);
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'http:' ? requestPlain : request;
      const call: ClientRequest = send(url, { ...options, headers, signal }, (response) => {
        // A watch that is ended by the page is no error of anyone's.
        response.on('error', () => response.destroy());
        resolve(passingOf(response));
      });
      call.on('error', reject);
      call.end(body);
    });
  };
};
