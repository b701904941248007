/** One listener of a load balancer as a TCP server on this computer. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Endpoint } from '../engines/elbv2/data-plane.ts';
import { bindingProblem, join } from '../engines/elbv2/forwarding.ts';

export interface FrontDoor {
  /** Stops listening and ends all connections. */
  close(): void;
}

const RETRY_MILLISECONDS = 2000;

export interface FrontDoorDependencies {
  clock: Pick<Clock, 'sleep'>;
  log: Log;
}

/**
 * Listens on `address` and passes each connection to one of the endpoints that `endpoints` finds, in rotation; without
 * any, connections are reset. If it cannot listen, the log shows the remedy once, and listening is retried.
 */
export const openFrontDoor = (
  address: Endpoint,
  endpoints: () => Promise<readonly Endpoint[]>,
  { clock, log }: FrontDoorDependencies,
): FrontDoor => {
  const ended = new AbortController();
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
  const listen = (): void => void server.listen(address.port, address.host);
  let reported: string | undefined;
  server.on('error', ({ code }: NodeJS.ErrnoException) => {
    const problem = bindingProblem(address.host, address.port, code);
    if (problem !== reported) log.error('a simulated address cannot be listened on', { problem });
    reported = problem;
    clock.sleep(RETRY_MILLISECONDS, ended.signal).then(listen, () => undefined);
  });
  listen();

  return {
    close: () => {
      ended.abort();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
