import type { Server, Socket } from 'node:net';

/**
 * Follows the connections of a server, from before it listens. The returned function ends all of them, closes the
 * server, and resolves when it is closed. Node's `closeAllConnections` knows neither those in the middle of their TLS
 * handshake, which then stay open until they are idle for long enough, nor upgraded ones.
 */
export const closing = (server: Server): (() => Promise<void>) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      // Also called for one that does not listen.
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
};
