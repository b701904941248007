/** For tests: a tenant's API server with arbitrary responses, and a kubeconfig for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generateAuthority } from '../bootstrap/certificates/authority.ts';
import { issueCertificate } from '../bootstrap/certificates/issue.ts';
import { webCryptoKeys } from '../bootstrap/certificates/keys.ts';
import { makeKubeconfig } from '../bootstrap/certificates/kubeconfig.ts';
import { systemClock } from '../clock.ts';
import { systemRandom } from '../random.ts';
import { ANSWER_MILLISECONDS } from '../test-patience.ts';
import type { WorkloadTarget } from './access.ts';
import { makeConnectWorkload } from './connect.ts';

const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
const algorithm = 'ECDSA-P256' as const;

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface TenantServer {
  port: number;
  /** The method and path of each request. */
  asked: string[];
  server: Server;
  /** Valid for `localhost` and 127.0.0.1. */
  kubeconfig: string;
  target: WorkloadTarget;
  close(): Promise<void>;
}

/** The PEM files of a cluster: its authority, and an administrator's certificate. */
export const makeClusterPems = async () => {
  const ca = await generateAuthority({ ...dependencies, algorithm });
  const [server, client] = await Promise.all([
    issueCertificate(
      ca,
      { commonName: 'kube-apiserver', usages: ['server'], sans: ['127.0.0.1', 'localhost', 'api.example'], algorithm },
      dependencies,
    ),
    issueCertificate(
      ca,
      { commonName: 'kubernetes-admin', organizations: ['system:masters'], usages: ['client'], algorithm },
      dependencies,
    ),
  ]);
  return { ca, server, client };
};

export type ClusterPems = Awaited<ReturnType<typeof makeClusterPems>>;

export const kubeconfigFor = ({ ca, client }: ClusterPems, server: string): string =>
  makeKubeconfig({
    clusterName: 'red',
    server,
    ca: ca.certificatePem,
    clientCert: client.certificatePem,
    clientKey: client.privateKeyPem,
  });

/** Serves until it is closed. */
export const startTenantServer = async (pems: ClusterPems, answer: Answer): Promise<TenantServer> => {
  const asked: string[] = [];
  const server = createServer(
    { cert: pems.server.certificatePem, key: pems.server.privateKeyPem, ca: pems.ca.certificatePem, requestCert: true },
    (request, response) => {
      asked.push(`${request.method} ${request.url}`);
      answer(request, response);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = kubeconfigFor(pems, `https://127.0.0.1:${port}`);
  const endpoint = { host: '127.0.0.1', port };
  return {
    ...{ port, asked, server, kubeconfig },
    target: { kubeconfig, source: 'Secret red-kubeconfig', endpoint },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** For servers that respond: no time limit ends a request, however busy the computer is. */
export const connectPatiently = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
  reach: { loopback: true },
});

/** A connector like that of the functions on a laptop, with shorter timeouts. */
export const connectOnLaptop = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(1000),
  lifetime: () => AbortSignal.timeout(3000),
  reach: { loopback: true },
});
