/** Sends requests to the API server of a workload cluster, and reads its responses. The server may be hostile. */
import { tryJson } from '../decode/json.ts';
import { isObject } from '../kube-api/json.ts';
import { bytesHeld } from './bounds.ts';
import { type RefusalCause, unreachable, WorkloadRefusedError, WorkloadUnreachableError } from './client.ts';
import { AnswerTooLargeError, ConnectionFault } from './faults.ts';

export interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Includes the query. */
  path: string;
  body?: { type: string; value: unknown };
}

/** Sends one request with the client's credentials. Rejects if there is no response. */
export type Send = (request: Sent) => Promise<Answer>;

export interface Answer {
  code: number;
  text: string;
  /** The values of the response's `Warning` headers. */
  warnings?: readonly string[];
}

/** Objects per page. A smaller number is used if a page would exceed the size limit of a response. */
const PAGES = [250, 25, 1];
/** The limit for a complete list: a server could return pages forever. */
const MAX_ITEMS = 20_000;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** Longer texts of a server are truncated. */
const MAX_WORDS = 1000;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON object in a response; an empty one if it contains none. */
export const parsed = (text: string): Record<string, unknown> => {
  // The response comes from a proxy or from a server that is shutting down, so only the code is meaningful.
  const value = tryJson(text);
  return isObject(value) ? value : {};
};

/** The parsed response. Throws WorkloadUnreachableError if there is none. */
export const wellFormed = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw unreachable(new ConnectionFault(`it answered with an invalid ${what}`));
  return value;
};

/** Reasons of a Status and of its causes are identifiers; any other text could quote the request. */
const WORD = /^[A-Za-z]{1,64}$/;
/** Map keys are in brackets or quotes, and may have any content. */
const FIELD = /^[\w.\-/]{1,200}$/;

const wordOf = (value: unknown): string | undefined => (WORD.test(textOf(value)) ? textOf(value) : undefined);

const fieldOf = (value: unknown): string => {
  const field = textOf(value).replace(/\[(?!\d+\])[^\]]*\]/g, '[…]');
  return FIELD.test(field.replace(/\[(\d+|…)\]/g, '')) ? field : '';
};

const causesOf = ({ details }: Record<string, unknown>): RefusalCause[] => {
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes.filter(isObject) : [];
  return causes.slice(0, 20).map(({ reason, field }) => ({ reason: wordOf(reason) ?? '', field: fieldOf(field) }));
};

/** The error for a response that refuses the request. */
export const refusal = (code: number, text: string): WorkloadRefusedError => {
  const status = parsed(text);
  const reason = wordOf(status.reason) ?? `HTTP ${code}`;
  const words = textOf(status.message).slice(0, MAX_WORDS);
  return new WorkloadRefusedError({ code, reason, causes: causesOf(status), words });
};

const WARNING = /299 \S+ "((?:[^"\\]|\\.)*)"/g;
const MAX_WARNINGS = 100;

/** The texts of a response's warnings. They come from the server and may quote anything. */
export const warningsOf = ({ warnings = [] }: Answer): string[] =>
  warnings
    .flatMap((header) => [...header.matchAll(WARNING)].map(([, quoted = '']) => quoted.replace(/\\(.)/g, '$1')))
    .slice(0, MAX_WARNINGS);

/** A server that is starting or stopping, or a proxy before it: the response says nothing about the object. */
const UNAVAILABLE = [502, 503, 504];
const UNAUTHORIZED = 401;

/** Sends a request. Throws WorkloadUnreachableError if the server cannot respond, or if it refuses the credentials. */
export const ask = async (send: Send, request: Sent): Promise<Answer> => {
  let answer: Answer;
  try {
    answer = await send(request);
  } catch (error) {
    throw error instanceof WorkloadUnreachableError ? error : unreachable(error);
  }
  if (UNAVAILABLE.includes(answer.code)) throw unreachable(new ConnectionFault(`HTTP ${answer.code}`));
  if (answer.code === UNAUTHORIZED) {
    throw unreachable(new ConnectionFault('it does not accept the credentials of the kubeconfig (HTTP 401)'));
  }
  return answer;
};

/** Requests something that must exist. Throws WorkloadRefusedError. */
export const demand = async (send: Send, request: Sent): Promise<string> => {
  const { code, text } = await ask(send, request);
  if (code < 200 || code >= 300) throw refusal(code, text);
  return text;
};

interface Page {
  items: Record<string, unknown>[];
  /** The continue token of the next page; empty at the end. */
  token: string;
  bytes: number;
}

/** A list without `items` is not an empty list: it must not look as if all objects were gone. */
const pageIn = (text: string): Page => {
  const { items, metadata } = parsed(text);
  const list = wellFormed(Array.isArray(items) ? items : items === null ? [] : undefined, 'list');
  const token = isObject(metadata) ? textOf(metadata.continue) : '';
  return { items: list.filter(isObject), token, bytes: text.length };
};

const pageAt = async (send: Send, path: string, token: string, sizes: readonly number[]): Promise<Page> => {
  const [size, ...smaller] = sizes;
  const query = path.includes('?') ? '&' : '?';
  const more = token && `&continue=${encodeURIComponent(token)}`;
  try {
    return pageIn(await demand(send, { method: 'GET', path: `${path}${query}limit=${size}${more}` }));
  } catch (error) {
    const isTooLarge = error instanceof Error && error.cause instanceof AnswerTooLargeError;
    if (!isTooLarge || smaller.length === 0) throw error;
    return pageAt(send, path, token, smaller);
  }
};

/**
 * All items of the list at `path`, which may have a query, read page by page. `pick` selects what is kept of each item,
 * and `mostBytes` limits the memory for it. Throws WorkloadRefusedError, and WorkloadUnreachableError if the list does
 * not end or is too large.
 */
export const listAt = async <T = Record<string, unknown>>(
  send: Send,
  path: string,
  pick: (item: Record<string, unknown>) => T = (item) => item as T,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<T[]> => {
  const items: T[] = [];
  let [token, bytes, held] = ['', 0, 0];
  do {
    const page = await pageAt(send, path, token, PAGES);
    for (const item of page.items) {
      const kept = pick(item);
      items.push(kept);
      if (mostBytes < Number.POSITIVE_INFINITY) held += bytesHeld(kept);
      if (held > mostBytes) throw unreachable(new ConnectionFault('its list is too large'));
    }
    bytes += page.bytes;
    token = page.token;
    if (items.length > MAX_ITEMS || bytes > MAX_LIST_BYTES || (token && page.items.length === 0)) {
      throw unreachable(new ConnectionFault('its list does not end'));
    }
  } while (token);
  return items;
};
