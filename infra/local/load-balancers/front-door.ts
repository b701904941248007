/** One listener of a load balancer as a TCP server on this computer. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../../../shared/log.ts';
import type { Endpoint } from '../engines/elbv2/data-plane.ts';
import { bindingProblem, join } from '../engines/elbv2/forwarding.ts';

export interface FrontDoor {
  /** Stops listening and ends all connections. */
  close(): void;
}

/**
 * Listens on `address` and passes each connection to one of the endpoints that `endpoints` finds, in rotation; without
 * one, connections are reset. If it cannot listen the log shows the remedy.
 */
export const openFrontDoor = (
  address: Endpoint,
  endpoints: () => Promise<readonly Endpoint[]>,
  log: Log,
): FrontDoor => {
  const sockets = new Set<Socket>();
  let connections = 0;

  const accept = async (client: Socket): Promise<void> => {
    const found = await endpoints();
    connections += 1;
    const to = found[connections % found.length];
    if (to) join(client, connect({ ...to, allowHalfOpen: true }));
    else client.resetAndDestroy();
  };

  const server: Server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    accept(client).catch((error: unknown) => {
      log.warn('the targets of a load balancer could not be found', { error: String(error) });
      client.resetAndDestroy();
    });
  });
  server.on('error', ({ code }: NodeJS.ErrnoException) =>
    log.error('a simulated address cannot be listened on', {
      problem: bindingProblem(address.host, address.port, code),
    }),
  );
  server.listen(address.port, address.host);

  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
