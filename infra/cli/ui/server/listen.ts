import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';

/** The only interface, so that the page cannot be reached from the network. */
const LOOPBACK = '127.0.0.1';

export interface ListenOptions {
  /** 0 chooses a free port. */
  port: number;
  /** Creates the function that answers requests, when the port is known. */
  makeFetch(port: number): (request: Request) => Response | Promise<Response>;
}

export interface Listening {
  port: number;
  /** Ends all connections, including watches. */
  close(): void;
}

const explained = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE'
    ? new Error(`--port ${port}: the port is in use; choose another, or 0 for one that is free`)
    : error;

/** Listens on 127.0.0.1. Rejects with a readable message if the port is in use. */
export const listenOnLoopback = ({ port, makeFetch }: ListenOptions): Promise<Listening> =>
  new Promise((resolve, reject) => {
    let answer: ReturnType<ListenOptions['makeFetch']> | undefined;
    const fetch = (request: Request) => answer?.(request) ?? new Response(null, { status: 503 });
    const server = serve({ fetch, hostname: LOOPBACK, port }, (address: AddressInfo) => {
      answer = makeFetch(address.port);
      resolve({
        port: address.port,
        close: () => {
          server.close();
          (server as Server).closeAllConnections();
        },
      });
    });
    server.on('error', (error: NodeJS.ErrnoException) => reject(explained(error, port)));
  });
