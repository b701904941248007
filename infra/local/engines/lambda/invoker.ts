/** The main thread's side of the worker that runs the functions: invocations, and the functions' output. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import { sourceFile } from '../../../source-file.ts';
import type { Meter } from '../../meter/meter.ts';
import type { WireServer } from '../wire/server.ts';
import { directAnswerOf } from './direct-answer.ts';
import { FunctionError, failureNamed } from './failure.ts';
import type { DirectAnswer, DirectRequest, FromWorker, ToWorker, WorkerSettings } from './messages.ts';
import { type ChunkReader, makePending } from './pending.ts';
import { makeTurns } from './turns.ts';
import { makeUtilization } from './utilization.ts';

/** Lambda's limit for the request and the answer of a synchronous invocation, in bytes. */
const PAYLOAD_LIMIT = 6 * 1024 * 1024;

/** Handlers leave little garbage; V8's own choice costs 100 MB more of resident memory. */
const YOUNG_GENERATION_MEGABYTES = 8;

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Lambda gives a function ten seconds to start; here, eleven of them wait for each other. */
const IMPORT_SECONDS = 60;

export interface Invoker {
  /** Invokes a function with a JSON value and resolves to its JSON result. Rejects with a FunctionError. */
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Like `invoke`, for callers that can wait: invocations queue while the threads are saturated. */
  invokeInTurn(name: string, event: unknown): Promise<unknown>;
  /**
   * Invokes a function and passes its output on. Resolves when it has ended; rejects with a FunctionError. When
   * `signal` aborts, the function's stream is destroyed.
   */
  stream(name: string, event: unknown, reader: ChunkReader, signal?: AbortSignal): Promise<void>;
  /** Imports a function's bundle. Rejects with a FunctionError, as the function's invocations will. */
  load(name: string): Promise<void>;
  /** The memory of all functions together. */
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

interface Dependencies {
  clock: Clock;
  random: Random;
  onLog: (name: string, text: string) => void;
  /** Called with the usage of each invocation. */
  onInvoked: Meter['invoked'];
  /** Answers requests of the functions to AWS; without it, they use the network. */
  aws?: Pick<WireServer, 'answer'>;
}

/** The directory in which this process stores compiled code: Node.js adds a folder for its version. */
const compileCache = (): string | undefined => {
  const directory = getCompileCacheDir();
  return directory && dirname(directory);
};

/** A worker that is replaced if it dies, until it is stopped. */
const makeHost = (
  settings: WorkerSettings,
  youngMegabytes: number,
  on: { message(message: FromWorker): void; exit(code: number): void; error(error: Error): void },
) => {
  let stopped = false;
  let utilization = makeUtilization([performance]);
  const start = (): Worker => {
    const started = new Worker(new URL(sourceFile('./worker'), import.meta.url), {
      workerData: { ...settings, compileCache: compileCache() } satisfies WorkerSettings,
      // As on AWS, nothing of the caller's own environment is passed on.
      env: { ...settings.shared },
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    utilization = makeUtilization([performance, started.performance]);
    started.on('message', on.message);
    started.on('error', on.error);
    started.on('exit', (code) => {
      on.exit(code);
      if (!stopped) worker = start();
    });
    return started;
  };
  let worker = start();
  return {
    send: (message: ToWorker): void => worker.postMessage(message),
    utilization: () => utilization(),
    megabytes: async () => {
      const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
      return (heap + external) / BYTES_PER_MEGABYTE;
    },
    stop: async () => {
      stopped = true;
      await worker.terminate();
    },
  };
};

const checkSize = (value: string, error: () => FunctionError): void => {
  if (Buffer.byteLength(value) > PAYLOAD_LIMIT) throw error();
};

/** The worker need not be notified of every few bytes that are read. */
const TELL_BYTES = 64 * 1024;

/** Passes the worker's messages on to the invocations concerned. */
const makeReceive = (pending: ReturnType<typeof makePending>, send: (message: ToWorker) => void) => {
  const passOn = async (id: number, bytes: Uint8Array, isLast: boolean): Promise<void> => {
    const invocation = pending.find(id);
    if (!invocation?.reader) return;
    try {
      await invocation.reader.chunk(bytes, isLast);
    } catch {
      send({ kind: 'abandon', id }); // the reader no longer exists
      return;
    }
    invocation.read += bytes.byteLength;
    if (invocation.read < TELL_BYTES) return;
    send({ kind: 'written', id, bytes: invocation.read });
    invocation.read = 0;
  };
  return (message: Exclude<FromWorker, { kind: 'log' | 'invoked' | 'request' }>): void => {
    if (message.kind === 'chunk') void passOn(message.id, message.bytes, message.isLast);
    else if (message.kind === 'failure') pending.fail(message.id, new FunctionError(message.failure));
    else pending.succeed(message.id, message.kind === 'result' ? message.payload : 'null');
  };
};

/** AWS's response to a function's request; undefined if there is none, for example because the connection ended. */
const answerOf = async (
  aws: Pick<WireServer, 'answer'>,
  endpoint: string,
  request: DirectRequest,
  onLog: Dependencies['onLog'],
): Promise<DirectAnswer | undefined> => {
  try {
    return await directAnswerOf(aws, endpoint, request);
  } catch (error) {
    onLog('runtime', `a request to the simulated AWS could not be answered: ${error}\n`);
    return undefined;
  }
};

/**
 * Starts the worker. `onLog` receives the functions' standard output. `youngMegabytes` is the size of V8's young
 * generation: a larger one takes memory and saves processor time.
 */
export const makeInvoker = (
  settings: WorkerSettings,
  { clock, random, onLog, onInvoked, aws }: Dependencies,
  youngMegabytes = YOUNG_GENERATION_MEGABYTES,
): Invoker => {
  const specs = new Map(settings.functions.map((spec) => [spec.name, spec]));
  const pending = makePending(clock, (id) => host.send({ kind: 'abandon', id }));
  const receive = makeReceive(pending, (message) => host.send(message));
  const endpoint = settings.shared.AWS_ENDPOINT_URL ?? '';
  const host = makeHost({ ...settings, isDirect: aws !== undefined && endpoint !== '' }, youngMegabytes, {
    message: (message) => {
      if (message.kind === 'request') {
        const { id, request } = message;
        if (aws)
          void answerOf(aws, endpoint, request, onLog).then((answer) => host.send({ kind: 'answer', id, answer }));
      } else if (message.kind === 'log') onLog(message.function, message.text);
      else if (message.kind === 'invoked')
        onInvoked(message.function, specs.get(message.function)?.memoryMegabytes ?? 0, message.invoked);
      else receive(message);
    },
    error: (error) => onLog('runtime', `${error.stack ?? error}\n`),
    exit: (code) => pending.failAll(failureNamed('Runtime.ExitError', `the functions ended with exit code ${code}`)),
  });

  const start = (name: string, value: unknown, reader?: ChunkReader) => {
    const spec = specs.get(name);
    if (spec === undefined) throw new Error(`no function "${name}"`);
    const event = JSON.stringify(value);
    checkSize(event, () => failureNamed('RequestTooLargeException', `the event for ${name} is larger than 6 MB`));
    const { id, answer } = pending.add(spec.timeoutSeconds, reader);
    const streaming = reader !== undefined;
    host.send({ kind: 'invoke', id, function: name, event, streaming, requestId: random.uuid() });
    return { id, answer };
  };

  const turns = makeTurns({ clock, utilization: host.utilization });
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const payload = await start(name, event).answer;
    checkSize(payload, () => failureNamed('Function.ResponseSizeTooLarge', `${name} answered more than 6 MB`));
    return JSON.parse(payload) as unknown;
  };

  return {
    invoke,
    invokeInTurn: (name, event) => turns.run(() => invoke(name, event)),
    stream: async (name, event, reader, signal) => {
      const { id, answer } = start(name, event, reader);
      const abandon = (): void => host.send({ kind: 'abandon', id });
      signal?.addEventListener('abort', abandon);
      const rest = await answer.finally(() => signal?.removeEventListener('abort', abandon));
      if (rest !== 'null') await reader.chunk(Buffer.from(rest), true);
    },
    load: async (name) => {
      const { id, answer } = pending.add(IMPORT_SECONDS);
      host.send({ kind: 'load', id, function: name });
      await answer;
    },
    megabytes: host.megabytes,
    stop: () => {
      turns.clear();
      return host.stop();
    },
  };
};
