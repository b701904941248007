import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { Secret } from '../../../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { createApiServer } from '../../../../shared/kube-api/server/api-server.ts';
import { attributesOf } from '../../../../shared/kube-api/server/request-attributes.ts';
import type { User } from '../../../../shared/kube-api/server/user.ts';
import { failure, StatusError } from '../../../../shared/kube-api/status-error.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { listenLocally } from '../listen.ts';
import type { RecordRequest } from './audit/webhook.ts';
import { ANONYMOUS, userOfCertificate, userOfToken } from './authenticate.ts';
import { boundAdminGroups, makeAuthorize } from './authorize.ts';
import type { WorkloadCluster } from './cluster.ts';
import { makeExec } from './exec.ts';
import { secret } from './kinds.ts';
import { withRequester } from './requester.ts';

export interface ListenOptions {
  workload: WorkloadCluster;
  /** The server's own certificate. */
  certificate: PemPair;
  /** CA of the client certificates, PEM. */
  clientCa: string;
  /** With a leading `v`. */
  kubernetesVersion: string;
  clock: Clock;
  random: Random;
  log: Log;
  /** Records each request that was answered, if the server is audited. */
  record?: RecordRequest;
  /** The port of 127.0.0.1 to listen on; default any that is free. */
  port?: number;
}

export interface ListeningApiServer {
  /** The port on 127.0.0.1. */
  port: number;
  close(): Promise<void>;
}

const WATCH = { pollMilliseconds: 100, maxSeconds: 300 };
type Authorizer = ReturnType<typeof makeAuthorize>;

const HEALTH_PATH = /^\/(healthz|livez|readyz)(\/|$)/;

const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');
const unavailable = (): StatusError => new StatusError(500, 'InternalError', 'etcdserver: request timed out');

const respond = (error: StatusError): Response => Response.json(failure(error), { status: error.code });

const health = (isHealthy: boolean): Response =>
  isHealthy
    ? new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    : new Response('[-]etcd failed: reason withheld\n', { status: 500 });

type Subject = ReturnType<TLSSocket['getPeerCertificate']>['subject'];

/** By connection: a certificate is decoded at the first of its requests. */
const subjects = new WeakMap<TLSSocket, { subject: Subject | undefined }>();

/** The subject of the client's certificate, if it has one. */
const subjectOf = (socket: TLSSocket): Subject | undefined => {
  const found = subjects.get(socket) ?? { subject: socket.getPeerCertificate().subject };
  subjects.set(socket, found);
  return found.subject;
};

/** Throws a StatusError 401 for invalid credentials; without any the user is anonymous. */
const authenticate = async (
  { workload, clock }: ListenOptions,
  incoming: Pick<IncomingMessage, 'socket' | 'headers'> | (HttpBindings | Http2Bindings)['incoming'],
): Promise<User> => {
  const socket = incoming.socket as TLSSocket;
  const subject = subjectOf(socket);
  if (subject) {
    if (!socket.authorized) throw unauthorized();
    return userOfCertificate(subject);
  }
  const { authorization } = incoming.headers;
  if (authorization === undefined) return ANONYMOUS;
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  const find = (name: string): Promise<Secret | undefined> =>
    workload.objects.get<Secret>(secret, { namespace: 'kube-system', name });
  const user = await userOfToken(token, find, clock.now());
  if (!user) throw unauthorized();
  return user;
};

const refuseForeignPath = async (authorize: Authorizer, user: User, path: string, verb: string): Promise<void> => {
  const isResource =
    /^\/api\/[^/]+\/.|^\/apis\/[^/]+\/[^/]+\/./.test(path) && !/^\/apis\/auth\w+\.k8s\.io\//.test(path);
  if (isResource || (await authorize(user, { verb, path }))) return;
  throw new StatusError(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {});
};

const makeFetch = (options: ListenOptions) => {
  const { workload, kubernetesVersion, clock, random, log } = options;
  const authorize = makeAuthorize(boundAdminGroups(workload.objects));
  const serve = (resources: readonly ResourceDefinition[]) =>
    createApiServer({
      resources,
      storage: workload.storage,
      ownership: workload.ownership,
      onWrite: workload.onWrite,
      version: kubernetesVersion,
      watch: WATCH,
      authorize,
      clock,
      random,
      log,
    });
  let served = workload.resources();
  let api = serve(served);
  /** Replaced when kinds are added or removed; watches continue on the old one. */
  const current = () => {
    const resources = workload.resources();
    if (resources !== served) [served, api] = [resources, serve(resources)];
    return api;
  };
  return async (request: Request, bindings: HttpBindings | Http2Bindings): Promise<Response> => {
    try {
      const { pathname, searchParams } = new URL(request.url);
      const hasQuorum = workload.etcd.hasQuorum();
      if (HEALTH_PATH.test(pathname)) return health(hasQuorum);
      if (!hasQuorum) throw unavailable();
      const user = await authenticate(options, bindings.incoming);
      await refuseForeignPath(authorize, user, pathname, request.method.toLowerCase());
      const answer = await current().fetch(await withRequester(request, user), user);
      options.record?.(attributesOf(request.method, pathname, searchParams), user);
      return answer;
    } catch (error) {
      if (error instanceof StatusError) return respond(error);
      throw error;
    }
  };
};

/**
 * The API server of one control plane machine: TLS with the cluster's own certificates on a port of this computer, over
 * the state that all control plane machines share. Without a quorum of etcd it answers nothing but that.
 */
export const listenApiServer = async (options: ListenOptions): Promise<ListeningApiServer> => {
  const listener = getRequestListener(makeFetch(options), { overrideGlobalObjects: false });
  const server = createServer(
    {
      key: options.certificate.privateKeyPem,
      cert: options.certificate.certificatePem,
      ca: options.clientCa,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  const exec = makeExec(options.workload, (request) => authenticate(options, request));
  server.on('upgrade', (request, socket, head) => void exec(request, socket, head));
  return listenLocally(server, options.port);
};
