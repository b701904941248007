/** A listener of a load balancer as a real TCP server on the load balancer's own loopback address. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Log } from '../../../../shared/log.ts';
import type { Listener } from './records.ts';
import type { DataPath, Elb } from './state.ts';
import { routableTargets } from './target-health.ts';

const RETRY_MILLISECONDS = 2000;

/** The remedy if an address in 127.0.0.0/8 cannot be used. */
export const bindingProblem = (address: string, port: number, code: string | undefined): string => {
  const what = `cannot listen on ${address}:${port} (${code ?? 'unknown error'})`;
  if (code === 'EADDRNOTAVAIL')
    return `${what}: this system has no such loopback address; add it with 'sudo ifconfig lo0 alias ${address} up'`;
  if (code === 'EACCES') return `${what}: ports below 1024 need more rights; choose a higher port`;
  if (code === 'EADDRINUSE') return `${what}: another program listens there; stop it`;
  return what;
};

/** Forwards bytes in both directions until one side ends. */
export const join = (client: Socket, target: Socket): void => {
  const end = () => {
    client.destroy();
    target.destroy();
  };
  client.on('error', end);
  target.on('error', end);
  client.on('close', end);
  target.on('close', end);
  client.pipe(target);
  target.pipe(client);
};

export interface OpenListener {
  /** Stops listening and ends all connections. */
  close(): void;
}

/**
 * Listens for a listener once its load balancer is active, and forwards each connection to one of the targets in
 * rotation. If the address is not available, listening is retried; until then the load balancer is `failed` with the
 * reason.
 */
export const openListener = (elb: Elb, dataPath: DataPath, listener: Listener, log: Log): OpenListener => {
  const abort = new AbortController();
  const sockets = new Set<Socket>();
  let connections = 0;

  const endpoint = () => {
    const group = elb.targetGroups.get(listener.targetGroupArn);
    const targets = group ? routableTargets(elb, dataPath, group) : [];
    connections += 1;
    const target = targets[connections % targets.length];
    return target && dataPath.dataPlane.endpointOf(target.instanceId, target.port);
  };

  const accept = (client: Socket): void => {
    const to = endpoint();
    if (!to) {
      client.resetAndDestroy();
      return;
    }
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    join(client, connect({ host: to.host, port: to.port, allowHalfOpen: true }));
  };

  const server: Server = createServer({ allowHalfOpen: true }, accept);

  const listen = (address: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const settle = (problem: string | undefined) => {
        server.off('error', failed);
        server.off('listening', listening);
        resolve(problem);
      };
      const failed = (error: NodeJS.ErrnoException) => settle(bindingProblem(address, listener.port, error.code));
      const listening = () => settle(undefined);
      server.once('error', failed);
      server.once('listening', listening);
      server.listen(listener.port, address);
    });

  const open = async (): Promise<void> => {
    const loadBalancer = elb.loadBalancers.get(listener.loadBalancerArn);
    if (!loadBalancer) return;
    const activeAt = loadBalancer.timeline.at(-1)?.at ?? 0;
    await elb.place.clock.sleep(Math.max(0, activeAt - elb.now()), abort.signal);
    for (;;) {
      const problem = await listen(loadBalancer.dnsName);
      if (problem && problem !== loadBalancer.failure) log.error('a load balancer cannot listen', { problem });
      loadBalancer.failure = problem;
      if (!problem) break;
      await elb.place.clock.sleep(RETRY_MILLISECONDS, abort.signal);
    }
    server.on('error', (error) => log.error('a listener of a load balancer failed', { error: String(error) }));
    if (abort.signal.aborted) server.close();
  };

  open().catch((error: unknown) => {
    if (!abort.signal.aborted) log.error('a load balancer failed', { error: String(error) });
  });

  return {
    close: () => {
      abort.abort();
      if (server.listening) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
