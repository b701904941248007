import { request as httpsRequest } from 'node:https';
import { caHash } from '../../../../shared/bootstrap/rke2/token.ts';
import { parseToken, type Rke2Config } from './config.ts';
import { CA_PATH } from './supervisor.ts';

/** The supervisor of a cluster that this machine may join. */
export interface Registration {
  /** PEM. */
  ca: string;
  /** The host of `server` in config.yaml. */
  host: string;
  call(method: 'GET' | 'POST', path: string, body?: string): Promise<string>;
}

const REQUEST_MILLISECONDS = 10_000;

const send = (
  url: URL,
  options: { method: string; ca?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { body, ca, ...rest } = options;
    const sent = httpsRequest(
      url,
      { ...rest, ca, rejectUnauthorized: ca !== undefined, timeout: REQUEST_MILLISECONDS, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('context deadline exceeded')));
    sent.on('error', reject);
    sent.end(body);
  });

const succeeded = (url: URL, { status, text }: { status: number; text: string }): string => {
  if (status >= 200 && status < 300) return text;
  throw new Error(`${url.href}: ${status}`);
};

/**
 * Contacts the cluster as RKE2 does: fetches the CA without a trusted connection, compares it with the token's hash,
 * and uses that CA from then on. Throws an Error with RKE2's message.
 */
export const register = async (config: Rke2Config, user: 'server' | 'node'): Promise<Registration> => {
  const base = new URL(config.server ?? '');
  const { caHash: pinned, password } = parseToken(config.token ?? '');
  const cacerts = new URL(CA_PATH, base);
  const ca = succeeded(cacerts, await send(cacerts, { method: 'GET' }));
  const found = caHash(ca);
  if (pinned !== undefined && pinned !== found) {
    throw new Error(`token CA hash does not match the Cluster CA certificate hash: ${pinned} != ${found}`);
  }
  succeeded(cacerts, await send(cacerts, { method: 'GET', ca }));
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    ca,
    host: base.hostname,
    call: async (method, path, body) => {
      const url = new URL(path, base);
      return succeeded(url, await send(url, { method, ca, headers: { authorization }, body }));
    },
  };
};
