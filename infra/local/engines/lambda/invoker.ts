/** The main thread's side of the worker that hosts the functions: invocations, their time limits, what they log. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import type { FromWorker, FunctionFailure, FunctionSpec, ToWorker, WorkerSettings } from './messages.ts';

/** Lambda's limit for the request and the answer of a synchronous invocation, in bytes. */
const PAYLOAD_LIMIT = 6 * 1024 * 1024;

/** A function failed. `name` is the name of the error that the function threw, as Step Functions sees it. */
export class FunctionError extends Error {
  override readonly name: string;
  readonly failure: FunctionFailure;

  constructor(failure: FunctionFailure) {
    super(failure.errorMessage);
    this.name = failure.errorType;
    this.failure = failure;
  }
}

/** Who receives what a streaming function writes. `chunk` resolves when it can take more. */
export interface ChunkReader {
  chunk(bytes: Uint8Array): Promise<void> | void;
}

/** Handlers leave little behind; V8's own choice costs 100 MB more of resident memory. */
const YOUNG_GENERATION_MEGABYTES = 8;

interface Pending {
  resolve(payload: string): void;
  reject(error: Error): void;
  reader?: ChunkReader;
  stopTimer: AbortController;
}

export interface Invoker {
  /** Invokes a function with a JSON value and resolves with its JSON answer. Rejects with a FunctionError. */
  invoke(name: string, event: unknown): Promise<unknown>;
  /**
   * Invokes a function and hands over what it writes. Resolves when it has ended; rejects with a FunctionError. When
   * `signal` aborts, the function's stream is destroyed.
   */
  stream(name: string, event: unknown, reader: ChunkReader, signal?: AbortSignal): Promise<void>;
  /** Starts to import a function's bundle. */
  load(name: string): void;
  stop(): Promise<void>;
}

const failureNamed = (errorType: string, errorMessage: string): FunctionError =>
  new FunctionError({ errorType, errorMessage, trace: [] });

/** Starts the worker. `onLog` receives what the functions write to their standard output. */
export const makeInvoker = (
  settings: WorkerSettings,
  dependencies: { clock: Clock; random: Random; onLog: (name: string, text: string) => void },
): Invoker => {
  const { clock, random, onLog } = dependencies;
  const specs = new Map(settings.functions.map((spec) => [spec.name, spec]));
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let stopped = false;
  let worker = startWorker();

  function startWorker(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: settings,
      // Nothing of the caller's own environment, as on AWS.
      env: { ...settings.shared },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES },
    });
    started.on('message', (message: FromWorker) => receive(message));
    started.on('error', (error) => onLog('runtime', `${error.stack ?? error}\n`));
    started.on('exit', (code) => {
      failAll(failureNamed('Runtime.ExitError', `the functions' worker ended with exit code ${code}`));
      if (!stopped) worker = startWorker();
    });
    return started;
  }

  const send = (message: ToWorker): void => worker.postMessage(message);

  const take = (id: number): Pending | undefined => {
    const found = pending.get(id);
    pending.delete(id);
    found?.stopTimer.abort();
    return found;
  };

  const failAll = (error: FunctionError): void => {
    for (const id of [...pending.keys()]) take(id)?.reject(error);
  };

  const passOn = async (id: number, bytes: Uint8Array): Promise<void> => {
    try {
      await pending.get(id)?.reader?.chunk(bytes);
      send({ kind: 'written', id });
    } catch {
      send({ kind: 'abandon', id }); // the reader has gone
    }
  };

  const receive = (message: FromWorker): void => {
    if (message.kind === 'log') onLog(message.function, message.text);
    else if (message.kind === 'chunk') void passOn(message.id, message.bytes);
    else if (message.kind === 'failure') take(message.id)?.reject(new FunctionError(message.failure));
    else take(message.id)?.resolve(message.kind === 'result' ? message.payload : 'null');
  };

  const limit = (id: number, spec: FunctionSpec, signal: AbortSignal): void => {
    clock.sleep(spec.timeoutSeconds * 1000, signal).then(
      () => {
        send({ kind: 'abandon', id });
        take(id)?.reject(failureNamed('Sandbox.Timedout', `Task timed out after ${spec.timeoutSeconds}.00 seconds`));
      },
      () => undefined, // the invocation ended in time
    );
  };

  const start = (name: string, event: unknown, reader?: ChunkReader): { id: number; answer: Promise<string> } => {
    const spec = specs.get(name);
    if (spec === undefined) throw new Error(`no function "${name}"`);
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > PAYLOAD_LIMIT)
      throw failureNamed('RequestTooLargeException', `the event for ${name} is larger than ${PAYLOAD_LIMIT} bytes`);
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const stopTimer = new AbortController();
    pending.set(id, { resolve, reject, reader, stopTimer });
    limit(id, spec, stopTimer.signal);
    const streaming = reader !== undefined;
    send({ kind: 'invoke', id, function: name, event: payload, streaming, requestId: random.uuid() });
    return { id, answer: promise };
  };

  return {
    invoke: async (name, event) => {
      const payload = await start(name, event).answer;
      if (Buffer.byteLength(payload) > PAYLOAD_LIMIT)
        throw failureNamed('Function.ResponseSizeTooLarge', `the answer of ${name} is larger than 6 MB`);
      return JSON.parse(payload) as unknown;
    },
    stream: async (name, event, reader, signal) => {
      const { id, answer } = start(name, event, reader);
      signal?.addEventListener('abort', () => send({ kind: 'abandon', id }), { once: true });
      const rest = await answer;
      if (rest !== 'null') await reader.chunk(Buffer.from(rest));
    },
    load: (name) => send({ kind: 'load', function: name }),
    stop: async () => {
      stopped = true;
      await worker.terminate();
    },
  };
};
