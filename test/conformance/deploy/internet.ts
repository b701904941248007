/**
 * Serves AWS's host names on this computer, for programs that do not support AWS_ENDPOINT_URL: a proxy that presents a
 * certificate for them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { issueCertificate } from '../../../shared/bootstrap/certificates/issue.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';

export interface Internet {
  /** The value for HTTPS_PROXY. */
  url: string;
  /** The authority that clients must trust. */
  caPem: string;
  close(): void;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

const isOf = (place: string, name: string): boolean =>
  name.startsWith('*.') ? place.endsWith(`${name.slice(1)}:443`) : place === `${name}:443`;

/**
 * Forwards connections to port 443 of `names` to `answer`, and refuses all others. In a name, `*.` stands for any first
 * label.
 */
export const startInternet = async (names: readonly string[], answer: Answer): Promise<Internet> => {
  const algorithm = 'ECDSA-P256';
  const tools = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
  const authority = await generateAuthority({ algorithm, ...tools });
  const request = { commonName: 'aws', usages: ['server'] as const, sans: [...names], algorithm } as const;
  const { certificatePem, privateKeyPem } = await issueCertificate(authority, request, tools);
  const inner = createSecureServer({ cert: certificatePem, key: privateKeyPem }, answer);
  const port = await listen(inner);
  const sockets = new Set<Socket>();
  const outer = createServer((_, response) => response.writeHead(405).end());
  outer.on('connect', ({ url = '' }: IncomingMessage, client: Socket) => {
    sockets.add(client);
    client.on('error', () => client.destroy()).on('close', () => sockets.delete(client));
    if (!names.some((name) => isOf(url, name))) {
      client.end(`HTTP/1.1 403 ${url} is not in this account\r\n\r\n`);
      return;
    }
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.pipe(client);
      client.pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  const url = `http://127.0.0.1:${await listen(outer)}`;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    inner.closeAllConnections();
    inner.close();
    outer.close();
  };
  return { url, caPem: authority.certificatePem, close };
};
