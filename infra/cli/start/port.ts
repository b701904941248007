import { createServer } from 'node:net';

/** Rejects with one sentence and the remedy if the port is in use. Port 0 is not checked. */
export const requireFreePort = (port: number, remedy = 'Choose another one with --port.'): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const why = taken ? 'is in use: is another npm start running?' : `cannot be used: ${error.message}`;
      reject(new Error(`port ${port} ${why} ${remedy}`));
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });

/** The port of an earlier start if it is free, or else 0. */
export const freeAgain = (port: number | undefined): Promise<number> =>
  requireFreePort(port ?? 0).then(
    () => port ?? 0,
    () => 0,
  );
