/** A small client of the laptop's own Kubernetes API: TLS with its authority, and a token of the simulated account. */
import { type ClientRequest, request as requestPlain } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import type { Clock } from '../../../shared/clock.ts';
import type { Status } from '../../../shared/kube-api/status-error.ts';
import type { Access } from '../kubeconfig/kubeconfig.ts';
import { makeToken } from '../kubeconfig/token.ts';

/** An answer other than 2xx, with the API's own account of it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;
  constructor(status: Status) {
    super(status.message ?? status.reason ?? `the API answered ${status.code}`);
    this.status = status;
  }
}

export interface Api {
  /** Sends one request; `path` begins with /api or /apis. Rejects with ApiError for what the API refuses. */
  send<T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  /** Ends the connections. */
  close(): void;
}

export interface Answer {
  code: number;
  text: string;
}

/** Whether a connection that had been idle was closed by the other side just when the request was sent. */
const wasIdle = (call: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  call.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * One request and its whole answer, whatever its code. A GET on a connection that turns out to be closed is sent again,
 * as Go's clients do.
 */
export const exchange = (url: URL, options: RequestOptions, body: string | undefined): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = (url.protocol === 'http:' ? requestPlain : request)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    call.on('error', (error) => {
      if (options.method === 'GET' && wasIdle(call, error)) resolve(exchange(url, options, body));
      else reject(error);
    });
    call.end(body);
  });

/** The Status of a refusal; an answer that is none, such as one of the gateway itself, is made into one. */
export const statusOf = ({ code, text }: Answer): Status => {
  const base = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code } as const;
  try {
    return { ...base, ...(JSON.parse(text) as Partial<Status>) };
  } catch {
    return { ...base, message: `the API answered ${code}: ${text.slice(0, 200)}` };
  }
};

/** The object of an answer; throws ApiError for a refusal. */
export const parsed = <T>(answer: Answer): T => {
  if (answer.code < 200 || answer.code > 299) throw new ApiError(statusOf(answer));
  return JSON.parse(answer.text) as T;
};

/** A token that is made anew shortly before it runs out. */
const makeTokenSource = (access: Access, clock: Clock) => {
  let current: Awaited<ReturnType<typeof makeToken>> | undefined;
  return async (): Promise<string> => {
    const now = clock.now();
    if (current === undefined || current.expiresAt <= now) current = await makeToken(access, now);
    return current.token;
  };
};

export const makeApi = (access: Access, clock: Clock): Api => {
  const agent = new Agent({ ca: access.caPem, keepAlive: true });
  const token = makeTokenSource(access, clock);
  return {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const headers: Record<string, string> = { authorization: `Bearer ${await token()}`, accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = contentType;
      const url = new URL(`${access.server}${path}`);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const answer = await exchange(url, { agent, method, headers }, text);
      return parsed<T>(answer);
    },
    close: () => agent.destroy(),
  };
};
