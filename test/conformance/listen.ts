import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';

/** A server on the loopback interface that a suite has started. */
export interface Listening {
  url: string;
  /** Closes all connections, including open watches. */
  stop(): Promise<void>;
}

/** Serves a request handler over HTTP, by default on a free port. `path` is the part of the URL after the port. */
export const listen = (fetch: (request: Request) => Promise<Response>, path = '', port = 0): Promise<Listening> =>
  new Promise((resolve) => {
    const server = serve({ fetch, hostname: '127.0.0.1', port }, (address: AddressInfo) =>
      resolve({ url: `http://127.0.0.1:${address.port}${path}`, stop }),
    );
    const stop = (): Promise<void> =>
      new Promise((stopped) => {
        server.close(() => stopped());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
  });
