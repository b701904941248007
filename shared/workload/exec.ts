/** Commands in containers of a workload cluster, over the WebSocket protocol of `kubectl exec`. */
import { WebSocket } from 'ws';
import { tryJson } from '../decode/json.ts';
import { isObject } from '../kube-api/json.ts';
import type { WorkloadAccess } from './access.ts';
import { type CommandResult, type PodCommand, unreachable } from './client.ts';
import { ConnectionFault, faultOf } from './faults.ts';
import { credentialHeaders, type SocketOptions } from './transport.ts';

/** The versions of the protocol that end a command with a Status. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

/** The limit for all output of a command; etcdctl writes a few kilobytes. */
const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

const MAX_EXIT_CODE = 255;

/** The exit code in the protocol's Status. A failure without one is a fault of the server. */
const exitCode = (text: string): number => {
  const status = tryJson(text);
  if (!isObject(status)) throw new ConnectionFault('the command ended without a Status');
  if (status.status === 'Success') return 0;
  const causes = isObject(status.details) && Array.isArray(status.details.causes) ? status.details.causes : [];
  const code = Number(causes.filter(isObject).find(({ reason }) => reason === 'ExitCode')?.message);
  if (!Number.isInteger(code) || code < 1 || code > MAX_EXIT_CODE)
    throw new ConnectionFault('the command could not be run');
  return code;
};

const pathOf = ({ namespace, pod, container, command }: PodCommand): string => {
  const query = new URLSearchParams({ container });
  for (const word of command) query.append('command', word);
  for (const [name, value] of Object.entries({ stdout: 'true', stderr: 'true', stdin: 'false', tty: 'false' })) {
    query.set(name, value);
  }
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query}`;
};

/** Collects the output of a command until its Status or the end of the connection. */
const outcomeOf = (socket: WebSocket): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const output: Record<number, Buffer[]> = { [STDOUT]: [], [STDERR]: [], [STATUS]: [] };
    const written = (channel: number): string => Buffer.concat(output[channel] ?? []).toString('utf8');
    let bytes = 0;
    const finish = (): void => {
      try {
        resolve({ code: exitCode(written(STATUS)), stdout: written(STDOUT), stderr: written(STDERR) });
      } catch (error) {
        reject(error);
      }
    };
    socket.on('message', (data: Buffer) => {
      bytes += data.length;
      if (bytes > MAX_OUTPUT_BYTES) return reject(new ConnectionFault('the command writes too much'));
      output[data[0] ?? 0]?.push(data.subarray(1));
      return data[0] === STATUS && data.length > 1 ? finish() : undefined;
    });
    socket.on('unexpected-response', (_, { statusCode }) => reject(new ConnectionFault(`HTTP ${statusCode}`)));
    socket.on('error', reject);
    socket.on('close', () => reject(new ConnectionFault('the connection ended early')));
  });

/**
 * Runs a command and waits for its end. Throws WorkloadUnreachableError if it could not be run: no API server, no such
 * pod, no kubelet, or `signal` aborted first. A failure of the command itself is part of the result.
 */
export const execute = async (
  access: WorkloadAccess,
  sockets: SocketOptions,
  command: PodCommand,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const { host: _, port: __, ...tls } = sockets;
  const socket = new WebSocket(`wss://${access.server.host}${pathOf(command)}`, PROTOCOLS, {
    ...tls,
    headers: credentialHeaders(access),
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MAX_OUTPUT_BYTES,
  });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new ConnectionFault(`${command.command[0]} did not end in time`));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([outcomeOf(socket), ended]);
  } catch (error) {
    throw unreachable(new ConnectionFault(`pod ${command.pod}: ${faultOf(error)}`));
  } finally {
    signal.removeEventListener('abort', abort);
    socket.on('error', () => {});
    socket.terminate();
  }
};
