/** A client for measurements: persistent connections, one token, and watches that are read line by line. */
import { Agent, type RequestOptions, request } from 'node:https';
import { ApiError, statusOf } from '../api/client.ts';

export interface Watching {
  /** Resolves to the time (as in `performance.now`) at which the first matching line arrived. */
  until(fits: (line: string) => boolean): Promise<number>;
  close(): void;
}

export interface Connection {
  /** The JSON of the response. Rejects with ApiError unless the request succeeds. */
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown>;
  /** Resolves when the server has answered; events arrive from then on. */
  watch(path: string): Promise<Watching>;
  close(): void;
}

export interface Server {
  url: string;
  ca: string;
  /** A token, or a function that returns one for each request, if tokens expire. */
  token: string | (() => Promise<string>);
}

export const connect = ({ url, ca, token }: Server): Connection => {
  const agent = new Agent({ ca, keepAlive: true });
  const headersNow = async () => {
    const bearer = typeof token === 'string' ? token : await token();
    return {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json',
      'user-agent': 'windlass-bench follows-redirects',
    };
  };

  const send: Connection['send'] = async (method, path, body, contentType = 'application/json') => {
    const headers = await headersNow();
    return new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': contentType };
      const options: RequestOptions = { agent, method, headers: { ...headers, ...type } };
      const call = request(`${url}${path}`, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const code = answer.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve(JSON.parse(text));
          else reject(new ApiError(statusOf({ code, text })));
        });
      });
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  };

  const watch: Connection['watch'] = (path) => watchAt(new URL(`${url}${path}`));

  const watchAt = async (place: URL): Promise<Watching> => {
    const headers = await headersNow();
    return new Promise((resolve, reject) => {
      const waiting = new Set<{ fits(line: string): boolean; tell(at: number): void }>();
      const take = (line: string): void => {
        for (const waiter of waiting) {
          if (!waiter.fits(line)) continue;
          waiting.delete(waiter);
          waiter.tell(performance.now());
        }
      };
      const call = request(place, { agent, headers }, (answer) => {
        const { statusCode, headers: given } = answer;
        if (statusCode === 307 && given.location !== undefined) {
          answer.resume();
          resolve(watchAt(new URL(given.location, place)));
          return;
        }
        let rest = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const lines = `${rest}${chunk}`.split('\n');
          rest = lines.pop() ?? '';
          lines.forEach(take);
        });
        resolve({
          until: (fits) => new Promise((tell) => waiting.add({ fits, tell })),
          close: () => void call.destroy(),
        });
      });
      call.on('error', reject);
      call.end();
    });
  };

  return { send, watch, close: () => agent.destroy() };
};
