/** The page's requests to its own server, which forwards them to the Kubernetes API. */
import type { PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { type Api, parsed } from '../../api/answer.ts';

/** The server's data about itself: `Settings` of the server's app. */
export interface Settings {
  context: string;
  server: string;
  namespace?: string;
  canWrite: boolean;
  /** For each price, the first list that contains it is used. */
  prices: readonly PriceList[];
}

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** The server refuses requests without this header, which other websites cannot set. */
const OWN = { 'x-windlass-ui': '1' };

export const pageFetch: Fetch = (path, init = {}) => fetch(path, { ...init, headers: { ...OWN, ...init.headers } });

const textOf = async (response: Response) => ({ code: response.status, text: await response.text() });

/** The API client for code that is shared with the command line. */
export const makePageApi = (send: Fetch): Api => ({
  send: async (method, path, body, contentType = 'application/json') => {
    const content = body === undefined ? {} : { headers: { 'content-type': contentType }, body: JSON.stringify(body) };
    return parsed(await textOf(await send(path, { method, ...content })));
  },
  close: () => {},
});

export const readSettings = async (send: Fetch): Promise<Settings> => parsed(await textOf(await send('/settings')));

/** Parses `299 - "text"`, also several, separated by commas; quotes in a text are escaped with a backslash. */
export const warningsOf = (header: string | null): string[] =>
  [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));

/** Replaces an object; with `dryRun`, the API only returns the effects. Rejects with ApiError if it refuses. */
export const replaceObject = async (send: Fetch, path: string, object: unknown, dryRun: boolean) => {
  const headers = { 'content-type': 'application/json' };
  const query = dryRun ? '?dryRun=All' : '';
  const response = await send(`${path}${query}`, { method: 'PUT', headers, body: JSON.stringify(object) });
  const warnings = warningsOf(response.headers.get('warning'));
  return { object: parsed(await textOf(response)), warnings };
};
