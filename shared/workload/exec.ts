import { Writable } from 'node:stream';
import { Exec, type KubeConfig, type V1Status } from '@kubernetes/client-node';
import { type CommandResult, type PodCommand, unreachable } from './client.ts';

const collector = () => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
};

/** The exit code that a status of the exec protocol carries; a failure without one is the server's own. */
const exitCode = ({ status, details, message }: V1Status): number => {
  if (status === 'Success') return 0;
  const cause = details?.causes?.find(({ reason }) => reason === 'ExitCode');
  if (cause?.message === undefined) throw unreachable(new Error(message ?? 'the command could not be run'));
  return Number(cause.message);
};

/**
 * Runs a command and waits for its end. Throws WorkloadUnreachableError when it could not be run: no API server, no such
 * pod, no kubelet, or `signal` was first. What the command itself says of failure is in the result.
 */
export const execute = async (
  config: KubeConfig,
  { namespace, pod, container, command }: PodCommand,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const [stdout, stderr] = [collector(), collector()];
  const { promise, resolve, reject } = Promise.withResolvers<V1Status>();
  const abort = () => reject(unreachable(new Error(`${command[0]} in pod ${pod} did not end in time`)));
  signal.addEventListener('abort', abort, { once: true });
  const exec = new Exec(config);
  const started = exec.exec(
    namespace,
    pod,
    container,
    [...command],
    stdout.stream,
    stderr.stream,
    null,
    false,
    resolve,
  );
  try {
    const socket = await Promise.race([started, promise.then(() => undefined)]);
    if (socket) {
      socket.onclose = () => reject(unreachable(new Error(`the connection to pod ${pod} ended early`)));
      socket.onerror = (event) => reject(unreachable(event.error ?? new Error(event.message)));
    }
    return { code: exitCode(await promise), stdout: stdout.text(), stderr: stderr.text() };
  } catch (error) {
    throw unreachable(errorOf(error, pod));
  } finally {
    signal.removeEventListener('abort', abort);
    void started.then((socket) => socket.close()).catch(() => {});
  }
};

/** The library rejects with the socket's event where the server refused the upgrade. */
const errorOf = (error: unknown, pod: string): unknown => {
  if (error instanceof Error) return error;
  const { message } = (error ?? {}) as { message?: string };
  return new Error(`pod ${pod}: ${message ?? 'the connection was refused'}`);
};
