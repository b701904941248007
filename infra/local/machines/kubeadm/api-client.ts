import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity as checkIdentity, createSecureContext, type SecureContext } from 'node:tls';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Route } from './route.ts';

/** The way to reach an API server. */
export interface ApiTarget {
  /** `host:port`. */
  endpoint: string;
  /** The CA that must have issued the server's certificate, as PEM; without it, the certificate is not verified. */
  ca?: string;
  /** A bootstrap token. */
  token?: string;
  /** A client certificate. */
  certificate?: PemPair;
  /** The name resolution of the machine; by default, that of this computer. */
  route?: Route;
}

/** An untyped JSON document of the API: readers check the fields that they use. */
export type Json = Record<string, unknown>;

export interface ApiClient {
  /**
   * Sends one request; resolves to the document in the answer. Rejects with ApiStatusError for a refusal, and with
   * ApiUnreachableError if there is no answer.
   */
  call(method: string, path: string, body?: Json, contentType?: string): Promise<Json>;
  close(): void;
}

/** A refusal by the API server, with its own message. */
export class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** There was no answer; the message is that of a Go client. */
export class ApiUnreachableError extends Error {
  override readonly name = 'ApiUnreachableError';
}

export const MERGE_PATCH = 'application/merge-patch+json';
/** kubeadm's own limit, `?timeout=10s`. */
const REQUEST_MILLISECONDS = 10_000;

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
  'CERT_SIGNATURE_FAILURE',
]);

interface SystemError extends Error {
  code?: string;
}

const reasonOf = (error: SystemError, endpoint: string): string => {
  const code = error.code ?? '';
  const [host = endpoint] = endpoint.split(/:(?=\d+$)/);
  if (code === 'ECONNREFUSED') return `dial tcp ${endpoint}: connect: connection refused`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  if (code === 'CERT_HAS_EXPIRED') return 'tls: failed to verify certificate: x509: certificate has expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${host}`;
  }
  if (UNKNOWN_AUTHORITY.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  }
  return error.message;
};

const parse = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    // A health check answers in plain text; a refusal by something other than an API server has no Status either.
    return { message: text };
  }
};

const refusal = (status: number, body: Json): ApiStatusError => {
  const message = typeof body.message === 'string' && body.message !== '' ? body.message : `HTTP status ${status}`;
  return new ApiStatusError(status, message);
};

const readAnswer = (response: IncomingMessage): Promise<Json> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const status = response.statusCode ?? 0;
      const document = parse(Buffer.concat(chunks).toString('utf8'));
      if (status < 400) resolve(document);
      else reject(refusal(status, document));
    });
  });

const send = (url: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = httpsRequest(url, options, resolve);
    sent.on('timeout', () => sent.destroy(new Error('context deadline exceeded')));
    sent.on('error', reject);
    sent.end(body);
  });

/** A client that keeps its connections open until it is closed. Throws TypeError for an invalid address. */
export const connectApi = (target: ApiTarget): ApiClient => {
  const base = new URL(`https://${target.endpoint}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const options = { agent, rejectUnauthorized: target.ca !== undefined, timeout: REQUEST_MILLISECONDS };
  let context: SecureContext | undefined;
  /** Created only once, because machines that wait for an API server open many connections. */
  const secureContext = (): SecureContext => {
    const { ca, certificate } = target;
    context ??= createSecureContext({ ca, cert: certificate?.certificatePem, key: certificate?.privateKeyPem });
    return context;
  };
  const authorization = target.token ? { authorization: `Bearer ${target.token}` } : {};
  /** The certificate must be for this name, whatever the address. */
  const routed = (): RequestOptions => {
    const to = target.route?.(base.hostname, Number(base.port) || 443);
    if (!to) return {};
    const checkServerIdentity: RequestOptions['checkServerIdentity'] = (_host, certificate) =>
      checkIdentity(base.hostname, certificate);
    const name = isIP(base.hostname) === 0 ? { servername: base.hostname } : {};
    return { host: to.host, hostname: to.host, port: to.port, checkServerIdentity, ...name };
  };
  return {
    call: async (method, path, body, contentType = 'application/json') => {
      const url = new URL(path, base);
      const headers = {
        accept: 'application/json',
        ...authorization,
        ...(body ? { 'content-type': contentType } : {}),
      };
      try {
        const sent = { ...options, ...routed(), secureContext: secureContext(), method, headers };
        const response = await send(url, sent, body && JSON.stringify(body));
        return await readAnswer(response);
      } catch (error) {
        if (error instanceof ApiStatusError) throw error;
        const reason = reasonOf(error as SystemError, target.endpoint);
        throw new ApiUnreachableError(`${method} "${url.href}": ${reason}`, { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
};

/** Whether an error means that the object does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiStatusError && error.status === 404;

/** Whether an error means that the object already exists. */
export const isTaken = (error: unknown): boolean => error instanceof ApiStatusError && error.status === 409;
