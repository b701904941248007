import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { ServiceMachine } from '../kubeadm/machine-context.ts';
import { signRequest } from '../kubeadm/signing-request.ts';
import { listenLocally } from '../listen.ts';
import type { Rke2Authorities } from './authorities.ts';

/** The simulated paths of the supervisor; RKE2 has more under /v1-rke2. */
export const CA_PATH = '/cacerts';
export const KUBELET_PATH = '/v1-rke2/client-kubelet.crt';
export const BOOTSTRAP_PATH = '/v1-rke2/server-bootstrap';

export interface Supervisor {
  authorities: Rke2Authorities;
  certificate: PemPair;
  /** The passwords by the user with which machines authenticate: `server` or `node`. */
  passwords: Readonly<Record<'server' | 'node', string>>;
  /** The uid by which a joining server finds the simulated etcd. */
  clusterUid: string;
}

interface Answer {
  status: number;
  body: string;
}

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The user of a Basic header; undefined if the password is wrong. */
const userOf = ({ passwords }: Supervisor, { headers }: IncomingMessage): 'server' | 'node' | undefined => {
  const encoded = /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (user !== 'server' && user !== 'node') return undefined;
  return isSame(password, passwords[user]) ? user : undefined;
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const answer = async (supervisor: Supervisor, request: IncomingMessage, machine: ServiceMachine): Promise<Answer> => {
  const { authorities, clusterUid } = supervisor;
  if (request.url === CA_PATH) return { status: 200, body: authorities.serverCa.certificatePem };
  const user = userOf(supervisor, request);
  if (!user) return { status: 401, body: 'Unauthorized' };
  if (request.url === KUBELET_PATH) {
    return { status: 200, body: await signRequest(await readBody(request), authorities.clientCa, machine) };
  }
  if (request.url !== BOOTSTRAP_PATH) return { status: 404, body: 'Not Found' };
  // The keys of the CAs are only for servers.
  if (user !== 'server') return { status: 403, body: 'Forbidden' };
  return { status: 200, body: JSON.stringify({ clusterUid, ...authorities }) };
};

/** Lets machines join, on a port of this computer. */
export const listenSupervisor = async (
  supervisor: Supervisor,
  machine: ServiceMachine,
): Promise<{ port: number; close(): Promise<void> }> => {
  const { certificate } = supervisor;
  const server = createServer(
    { key: certificate.privateKeyPem, cert: certificate.certificatePem },
    (request, response) => {
      answer(supervisor, request, machine).then(
        ({ status, body }) => response.writeHead(status).end(body),
        (error: unknown) => {
          machine.log.warn('a simulated supervisor failed', { reason: String(error) });
          response.writeHead(400).end('Bad Request');
        },
      );
    },
  );
  return listenLocally(server);
};
