/** Answers of a Kubernetes API, for clients in Node.js and in a browser. */
import type { Status } from '../../../shared/kube-api/status-error.ts';

/** An answer other than 2xx, with the API's own message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;
  constructor(status: Status) {
    super(status.message ?? status.reason ?? `the API answered ${status.code}`);
    this.status = status;
  }
}

export interface Api {
  /** Sends one request; `path` begins with /api or /apis. Rejects with ApiError if the API refuses it. */
  send<T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  /** Closes the connections. */
  close(): void;
}

export interface Answer {
  code: number;
  text: string;
}

/** The Status of a refusal; an answer in another form, such as the gateway's own, is turned into a Status. */
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
