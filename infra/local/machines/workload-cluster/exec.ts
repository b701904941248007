import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { User } from '../../../../shared/kube-api/server/user.ts';
import { StatusError } from '../../../../shared/kube-api/status-error.ts';
import type { CommandResult } from '../../../../shared/workload/client.ts';
import { boundAdminGroups, makeAuthorize } from './authorize.ts';
import type { WorkloadCluster } from './cluster.ts';
import { runEtcdctl } from './etcdctl.ts';
import { pod } from './kinds.ts';

const PATH = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/exec$/;
/** Protocols of `kubectl exec` that end a command with a Status; older ones do not. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

const ETCD_POD = /^etcd-(.+)$/;

/** The result of a command in a container on a simulated machine. Only etcd's pods have a program, `etcdctl`. */
const run = (
  workload: WorkloadCluster,
  podName: string,
  container: string,
  command: readonly string[],
): CommandResult => {
  const member = ETCD_POD.exec(podName)?.[1];
  const [program = '', ...args] = command;
  if (member && container === 'etcd' && program === 'etcdctl') return runEtcdctl(workload.etcd, member, args);
  const stderr = `exec: "${program}": executable file not found in $PATH\n`;
  return { code: 127, stdout: '', stderr };
};

const statusOf = ({ code }: CommandResult): object =>
  code === 0
    ? { metadata: {}, status: 'Success' }
    : {
        metadata: {},
        status: 'Failure',
        message: `command terminated with non-zero exit code: exit status ${code}`,
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      };

const answer = (socket: WebSocket, result: CommandResult): void => {
  const send = (channel: number, text: string): void => {
    if (text !== '') socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  };
  send(STDOUT, result.stdout);
  send(STDERR, result.stderr);
  send(STATUS, JSON.stringify(statusOf(result)));
  socket.close();
};

/** Whether a command may be run there now. Throws a StatusError with the message of an API server or a kubelet. */
const admit = async (workload: WorkloadCluster, user: User, namespace: string, name: string): Promise<void> => {
  const authorize = makeAuthorize(boundAdminGroups(workload.objects));
  if (!(await authorize(user, { verb: 'create', resource: 'pods', subresource: 'exec', namespace, name }))) {
    throw new StatusError(403, 'Forbidden', `pods "${name}" is forbidden: User "${user.name}" cannot create pods/exec`);
  }
  if (!(await workload.objects.get(pod, { namespace, name }))) {
    throw new StatusError(404, 'NotFound', `pods "${name}" not found`);
  }
  const member = workload.etcd.members().find((one) => `etcd-${one.name}` === name);
  if (member && !member.alive) {
    throw new StatusError(500, 'InternalError', 'error dialing backend: dial tcp: connect: no route to host');
  }
};

const refuse = (socket: Duplex, error: StatusError): void => {
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', message: error.message, code: error.code });
  socket.end(
    `HTTP/1.1 ${error.code} ${error.reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/** Serves `kubectl exec` over WebSocket. `authenticate` throws a StatusError for invalid credentials. */
export const makeExec = (workload: WorkloadCluster, authenticate: (request: IncomingMessage) => Promise<User>) => {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false,
  });
  return async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    try {
      const url = new URL(request.url ?? '/', 'https://server');
      const [, namespace = '', name = ''] = PATH.exec(url.pathname) ?? [];
      if (name === '') throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
      if (!workload.etcd.hasQuorum()) throw new StatusError(500, 'InternalError', 'etcdserver: request timed out');
      await admit(workload, await authenticate(request), namespace, name);
      const command = url.searchParams.getAll('command');
      const container = url.searchParams.get('container') ?? '';
      sockets.handleUpgrade(request, socket, head, (opened) => answer(opened, run(workload, name, container, command)));
    } catch (error) {
      refuse(socket, error instanceof StatusError ? error : new StatusError(500, 'InternalError', String(error)));
    }
  };
};
