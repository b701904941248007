import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import type { WireResponse } from './call.ts';
import type { Forward } from './server.ts';

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const passedOn = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.includes(name) ? [] : [[name, String(value)]],
    ),
  );

/**
 * A forward that relays requests unchanged to another HTTP endpoint, including host header and signature, for example
 * to a dynalite on another port. Rejects if the endpoint cannot be reached.
 */
export const proxy = (endpoint: string): Forward => {
  const target = new URL(endpoint);
  return ({ method, url, headers, body }) =>
    new Promise<WireResponse>((resolve, reject) => {
      const outgoing: OutgoingHttpHeaders = { ...passedOn(headers), 'content-length': String(body.length) };
      const path = `${url.pathname}${url.search}`;
      const call = httpRequest({ host: target.hostname, port: target.port, method, path, headers: outgoing });
      call.on('error', reject);
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 502,
            headers: passedOn(response.headers),
            body: Buffer.concat(chunks),
          }),
        );
      });
      call.end(body);
    });
};
