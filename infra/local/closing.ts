import type { Server, Socket } from 'node:net';

/**
 * Tracks the connections of a server, from before it listens. The returned function ends all connections, closes the
 * server, and resolves when it is closed. Node's `closeAllConnections` does not cover upgraded connections, or those in
 * a TLS handshake, which would stay open until their idle timeout.
 */
export const closing = (server: Server): (() => Promise<void>) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      // Also called for a server that does not listen.
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
};
