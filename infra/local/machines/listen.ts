import { once } from 'node:events';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { closing } from '../closing.ts';

/** A server of a simulated machine, on a port of 127.0.0.1. */
export interface Listening {
  port: number;
  /** Also ends the open connections. */
  close(): Promise<void>;
}

/** The milliseconds for which an idle connection stays open, as at a kube-apiserver. */
const IDLE_MILLISECONDS = 90_000;

/** `port`: 0 selects a free one. */
export const listenLocally = async (server: Server, port = 0): Promise<Listening> => {
  server.keepAliveTimeout = IDLE_MILLISECONDS;
  const close = closing(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(async (error: NodeJS.ErrnoException) => {
    // Another program may use the previous port.
    if (port === 0 || error.code !== 'EADDRINUSE') throw error;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  return { port: (server.address() as AddressInfo).port, close };
};
