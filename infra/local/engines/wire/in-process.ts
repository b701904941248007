import type { Server } from 'node:http';
import inject from 'light-my-request';
import type { Forward } from './server.ts';

const asText = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** A forward to an HTTP server of this process, which need not listen: no socket, no second parse. */
export const inProcess =
  (server: Server): Forward =>
  async ({ method, url, headers, body }) => {
    const answer = await inject((request, response) => server.emit('request', request, response), {
      method,
      url: `${url.pathname}${url.search}`,
      headers,
      payload: body,
    });
    return { status: answer.statusCode, headers: asText(answer.headers), body: answer.rawPayload };
  };
