/** One health check of a target: a TCP connection, or an HTTP request with a matching status. */
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { connect } from 'node:net';
import type { Endpoint } from './data-plane.ts';
import type { HealthCheck } from './records.ts';

/** Whether a status matches a pattern such as `200`, `200,202` or `200-399`. */
export const fitsMatcher = (status: number, matcher: string): boolean =>
  matcher.split(',').some((part) => {
    const [from = '', to = from] = part.split('-');
    return status >= Number(from) && status <= Number(to);
  });

const probeTcp = ({ host, port }: Endpoint, milliseconds: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: milliseconds });
    const finish = (passed: boolean) => {
      socket.destroy();
      resolve(passed);
    };
    socket.on('connect', () => finish(true));
    socket.on('timeout', () => finish(false));
    socket.on('error', () => finish(false));
  });

/** Probes endpoints until it is closed. */
export interface Prober {
  /** Never rejects: any error is a failed check. */
  probe(endpoint: Endpoint, check: HealthCheck, timeoutMilliseconds: number): Promise<boolean>;
  close(): void;
}

/**
 * A prober with persistent connections: AWS opens one for each check, but a TLS handshake costs this computer many
 * times as much as the check.
 */
export const makeProber = (): Prober => {
  const plain = new Agent({ keepAlive: true });
  // Load balancers do not verify the certificate of a target.
  const secure = new TlsAgent({ keepAlive: true, rejectUnauthorized: false });

  const probeHttp = ({ host, port }: Endpoint, check: HealthCheck, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const options = { host, port, path: check.path, timeout: milliseconds };
      const call =
        check.protocol === 'HTTPS'
          ? httpsRequest({ ...options, agent: secure })
          : httpRequest({ ...options, agent: plain });
      call.on('response', (response) => {
        response.resume();
        resolve(fitsMatcher(response.statusCode ?? 0, check.matcher ?? '200-399'));
      });
      call.on('timeout', () => call.destroy(new Error('timeout')));
      call.on('error', () => resolve(false));
      call.end();
    });

  return {
    probe: (endpoint, check, milliseconds) =>
      check.protocol === 'TCP' ? probeTcp(endpoint, milliseconds) : probeHttp(endpoint, check, milliseconds),
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
};
