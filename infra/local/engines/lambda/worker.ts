/**
 * Runs the bundled functions, all in one thread. Each bundle is imported when it is first used, one after the other,
 * with the function's own environment variables set during the import, because functions read their configuration once,
 * at their cold start. This is an entry point: the clock of a Lambda context is the wall clock.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Span } from '../../meter/lambda-time.ts';
import { FUNCTION_HEADER, scopeOf } from '../wire/call.ts';
import { isTo, sendDirectly } from './direct-request.ts';
import type { FromWorker, FunctionFailure, FunctionSpec, ToWorker, WorkerSettings } from './messages.ts';
import { awslambda, isStreaming, makeResponseStream, type ResponseStream, sendAhead } from './response-stream.ts';

type Handler = (event: unknown, context: unknown) => unknown;
type Invocation = Extract<ToWorker, { kind: 'invoke' }>;

/** An invocation, or the import of a function; requests are recorded with their start and end times. */
interface Running {
  name: string;
  requests: { service: string; begin: number; end?: number }[];
  /** The processor time of the invocation, in milliseconds. */
  processor: number;
}

const settings = workerData as WorkerSettings;
const specs = new Map(settings.functions.map((spec) => [spec.name, spec]));
const loaded = new Map<string, Promise<unknown>>();
const streams = new Map<number, { stream: ResponseStream; written: (bytes: number) => void }>();
const running = new AsyncLocalStorage<Running>();

const newRunning = (name: string): Running => ({ name, requests: [], processor: 0 });

/** Signatures are in headers here, not in addresses. */
const NOWHERE = new URL('http://localhost');

/** Milliseconds since 1970, with fractions. */
const now = (): number => performance.timeOrigin + performance.now();

const post = (message: FromWorker): void => parentPort?.postMessage(message);

const captureOutput = (output: NodeJS.WriteStream): void => {
  output.write = ((chunk: string | Uint8Array) => {
    post({ kind: 'log', function: running.getStore()?.name ?? 'runtime', text: Buffer.from(chunk).toString() });
    return true;
  }) as typeof output.write;
};

/** Records a request of the running function; returns the function that records its end. */
const noteRequest = (caller: Running, authorization: string | undefined): (() => void) => {
  const noted = { service: scopeOf(NOWHERE, authorization)?.service ?? 'other', begin: now() };
  caller.requests.push(noted);
  return () => Object.assign(noted, { end: now() });
};

/** On AWS, the role of a function identifies the caller; here, all functions share the credentials of one process. */
const nameCaller = (message: unknown): void => {
  const { request } = message as { request: ClientRequest };
  const caller = running.getStore();
  if (caller === undefined) return;
  const authorization = request.getHeader('authorization')?.toString();
  if (authorization?.startsWith('AWS4-')) request.setHeader(FUNCTION_HEADER, caller.name);
  request.once('close', noteRequest(caller, authorization));
};

const takeAnswer = settings.isDirect
  ? sendDirectly(
      isTo(settings.shared.AWS_ENDPOINT_URL ?? ''),
      (id) => (request) => post({ kind: 'request', id, request }),
    )
  : () => {};

const specOf = (name: string): FunctionSpec => {
  const spec = specs.get(name);
  if (spec === undefined) throw new Error(`no function "${name}"`);
  return spec;
};

/** The simulated services have a single address, which the SDK does not combine with FIPS endpoints. */
const HERE = { AWS_USE_FIPS_ENDPOINT: 'false' };

const importBundle = async (spec: FunctionSpec): Promise<unknown> => {
  Object.assign(process.env, spec.environment, HERE);
  try {
    const module = (await import(pathToFileURL(spec.file).href)) as Record<string, unknown>;
    const handler = module[spec.exported];
    if (typeof handler !== 'function') throw new Error(`${spec.file} exports no function "${spec.exported}"`);
    return handler;
  } finally {
    for (const name of Object.keys(spec.environment)) delete process.env[name];
  }
};

let lastImport: Promise<unknown> = Promise.resolve();

/** Imports wait for each other, because the environment belongs to one function at a time. */
const load = (name: string): Promise<unknown> => {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const handler = lastImport.then(() => running.run(newRunning(name), () => importBundle(specOf(name))));
  lastImport = handler.catch(() => undefined);
  loaded.set(name, handler);
  return handler;
};

const contextOf = (spec: FunctionSpec, invocation: Invocation) => {
  const deadline = Date.now() + spec.timeoutSeconds * 1000;
  return {
    functionName: spec.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: spec.arn,
    memoryLimitInMB: String(spec.memoryMegabytes),
    awsRequestId: invocation.requestId,
    logGroupName: `/aws/lambda/${spec.name}`,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
};

const failureOf = (error: unknown): FunctionFailure =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

const runStreaming = async (
  handler: (event: unknown, stream: ResponseStream, context: unknown) => unknown,
  event: unknown,
  context: unknown,
  id: number,
): Promise<void> => {
  const { send, written } = sendAhead((bytes, isLast) => {
    // Transferred, not copied.
    parentPort?.postMessage({ kind: 'chunk', id, bytes, isLast } satisfies FromWorker, [bytes.buffer]);
  });
  const stream = makeResponseStream(send);
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  streams.set(id, { stream, written });
  await handler(event, stream, context);
  if (!stream.writableEnded) stream.end();
  await closed;
};

const open = new Set<Running>();
let settled = process.threadCpuUsage();

/** All functions share a thread: its processor time since the last start or end is divided among the running ones. */
const shareProcessor = (): void => {
  const { user, system } = process.threadCpuUsage(settled);
  settled = process.threadCpuUsage();
  for (const each of open) each.processor += (user + system) / 1000 / open.size;
};

/** For the function, requests that are still open have been answered. */
const tellMeter = (own: Running, begin: number): void => {
  shareProcessor();
  open.delete(own);
  const end = now();
  const { name, processor, requests } = own;
  const spans = requests.map((one): Span => [one.service, one.begin, one.end ?? end]);
  post({ kind: 'invoked', function: name, invoked: { begin, end, spans, processor } });
};

const invoke = async (invocation: Invocation): Promise<void> => {
  const { id } = invocation;
  const own = running.getStore() ?? newRunning(invocation.function);
  const begin = now();
  shareProcessor();
  open.add(own);
  try {
    const spec = specOf(invocation.function);
    const handler = await load(spec.name);
    const event: unknown = JSON.parse(invocation.event);
    const context = contextOf(spec, invocation);
    if (invocation.streaming && isStreaming(handler)) {
      await runStreaming(handler, event, context, id);
      post({ kind: 'end', id });
      return;
    }
    const result = await (handler as Handler)(event, context);
    post({ kind: 'result', id, payload: JSON.stringify(result ?? null) });
  } catch (error) {
    post({ kind: 'failure', id, failure: failureOf(error) });
  } finally {
    streams.delete(id);
    tellMeter(own, begin);
  }
};

const warm = async (id: number, name: string): Promise<void> => {
  try {
    await load(name);
    post({ kind: 'result', id, payload: 'null' });
  } catch (error) {
    post({ kind: 'failure', id, failure: failureOf(error) });
  }
};

const receive = (message: ToWorker): void => {
  if (message.kind === 'invoke') running.run(newRunning(message.function), () => void invoke(message));
  else if (message.kind === 'load') void warm(message.id, message.function);
  else if (message.kind === 'answer') takeAnswer(message.id, message.answer);
  else if (message.kind === 'written') streams.get(message.id)?.written(message.bytes);
  else streams.get(message.id)?.stream.destroy();
};

// A thread does not inherit this from its process. Code that the functions have compiled is written when the thread
// ends.
if (settings.compileCache !== undefined) enableCompileCache(settings.compileCache);
Object.assign(globalThis, { awslambda });
captureOutput(process.stdout);
captureOutput(process.stderr);
subscribe('http.client.request.created', nameCaller);
parentPort?.on('message', receive);
