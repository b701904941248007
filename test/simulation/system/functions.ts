/**
 * Lambda inside the process of the simulation. Each function has simulated processes, which can be new, reused or dead.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FunctionError, failureNamed } from '../../../infra/local/engines/lambda/failure.ts';
import type { Invoker, makeInvoker } from '../../../infra/local/engines/lambda/invoker.ts';
import type { FunctionFailure, FunctionSpec } from '../../../infra/local/engines/lambda/messages.ts';
import type { ChunkReader } from '../../../infra/local/engines/lambda/pending.ts';
import { awslambda, isStreaming, makeResponseStream } from '../../../infra/local/engines/lambda/response-stream.ts';
import { type Aws, enterAccount, leaveAccount } from './direct.ts';
import { type FunctionProcess, type Invocation, invocations } from './invocations.ts';

type Handler = (event: unknown, context: unknown) => unknown;

interface Environment {
  process: FunctionProcess;
  spec: FunctionSpec;
  handler: Promise<Handler>;
  isBusy: boolean;
}

/**
 * Imports the modules that functions share. Modules are evaluated only once in a process, so the random values that
 * they use must not be taken from the first lifecycle.
 */
export const importShared = async (assets: Iterable<string>): Promise<void> => {
  for (const directory of assets) {
    const shared = join(directory, 'shared');
    if (!existsSync(shared)) continue;
    for (const file of readdirSync(shared).sort()) await import(pathToFileURL(join(shared, file)).href);
  }
};

let imports = 0;
/**
 * Serializes imports, because a function reads its configuration from the process's environment once, at its cold
 * start.
 */
let lastImport: Promise<unknown> = Promise.resolve();

const importHandler = async (spec: FunctionSpec): Promise<Handler> => {
  imports += 1;
  Object.assign(process.env, spec.environment);
  try {
    // A module with another URL is a separate module with its own memory.
    const module = (await import(`${pathToFileURL(spec.file).href}?process=${imports}`)) as Record<string, unknown>;
    const handler = module[spec.exported];
    if (typeof handler !== 'function') throw new Error(`${spec.file} exports no function "${spec.exported}"`);
    return handler as Handler;
  } finally {
    for (const name of Object.keys(spec.environment)) delete process.env[name];
  }
};

const failureOf = (error: unknown): FunctionFailure =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: [] }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

const contextOf = (spec: FunctionSpec, requestId: string) => {
  const deadline = Date.now() + spec.timeoutSeconds * 1000;
  return {
    functionName: spec.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: spec.arn,
    memoryLimitInMB: String(spec.memoryMegabytes),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${spec.name}`,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
};

/** Passes the chunks of a stream to the reader, one after the other. */
const runStreaming = async (
  handler: (event: unknown, stream: NodeJS.WritableStream, context: unknown) => unknown,
  event: unknown,
  context: unknown,
  reader: ChunkReader,
): Promise<void> => {
  const stream = makeResponseStream(async (bytes, isLast) => reader.chunk(bytes, isLast));
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  await handler(event, stream, context);
  if (!stream.writableEnded) stream.end();
  await closed;
};

export interface Told {
  /** Whether Lambda currently refuses invocations. */
  refuses?(): boolean;
  invoked?(invocation: Invocation): void;
  /** The caller gets an answer: the output in JSON, or a failure. */
  answered?(invocation: Invocation, answer: { output?: string; failure?: FunctionFailure }): void;
  /** The function does nothing more: it has returned, or its process is dead. */
  ended?(invocation: Invocation): void;
}

export interface Host {
  makeInvoker: typeof makeInvoker;
  /** The next invocations of the function use new code. Running invocations continue with theirs. */
  update(spec: FunctionSpec): void;
}

/** Replaces worker threads. `through` wraps the simulated AWS that functions call. */
export const makeHost = (told: Told, through: (aws: Aws) => Aws): Host => {
  leaveAccount();
  const specs = new Map<string, FunctionSpec>();
  const update = (spec: FunctionSpec): void => void specs.set(spec.name, spec);
  const open: typeof makeInvoker = (settings, { random, aws }): Invoker => {
    if (aws) enterAccount(through(aws), settings.shared.AWS_ENDPOINT_URL ?? '');
    for (const spec of settings.functions) update(spec);
    const environments = new Map<string, Environment[]>();
    let number = 0;
    // The SDK reads these variables whenever it needs them.
    Object.assign(process.env, settings.shared);

    const environmentOf = (spec: FunctionSpec): Environment => {
      const known = environments.get(spec.name) ?? [];
      const idle = known.find((one) => !one.isBusy && one.process.isAlive && one.spec === spec);
      if (idle) return idle;
      const own: FunctionProcess = { name: spec.name, number: known.length + 1, isAlive: true };
      const handler = lastImport.then(() => importHandler(spec));
      lastImport = handler.catch(() => undefined);
      const environment = { process: own, spec, handler, isBusy: false };
      environments.set(spec.name, [...known, environment]);
      return environment;
    };

    const run = (name: string, event: unknown, reader?: ChunkReader): Promise<unknown> => {
      const spec = specs.get(name);
      if (spec === undefined) throw new Error(`no function "${name}"`);
      if (told.refuses?.()) return Promise.reject(failureNamed('Lambda.TooManyRequestsException', 'Rate Exceeded.'));
      const environment = environmentOf(spec);
      environment.isBusy = true;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      let isSettled = false;
      const settle = (act: () => void, answer: { output?: string; failure?: FunctionFailure }): void => {
        clearTimeout(limit);
        if (isSettled || !environment.process.isAlive) return;
        isSettled = true;
        told.answered?.(invocation, answer);
        act();
      };
      const end = (act: () => void, answer: Parameters<typeof settle>[1]): void => {
        settle(act, answer);
        environment.isBusy = false;
        told.ended?.(invocation);
      };
      const fail = (error: FunctionError): void => end(() => reject(error), error);
      const named = (errorType: string) => failureNamed(errorType, `RequestId: ${name} Error: ${errorType}`);
      number += 1;
      const invocation: Invocation = {
        number,
        process: environment.process,
        event,
        die: (errorType) => {
          fail(named(errorType));
          environment.process.isAlive = false;
        },
        disown: (errorType) => {
          const error = named(errorType);
          settle(() => reject(error), error);
        },
        repeat: () => void run(name, event, reader && { chunk: () => {} }).catch(() => undefined),
      };
      const limit = setTimeout(() => invocation.die('Sandbox.Timedout'), spec.timeoutSeconds * 1000);
      told.invoked?.(invocation);
      const context = contextOf(spec, random.uuid());
      invocations.run(invocation, async () => {
        try {
          const handler = await environment.handler;
          const given: unknown = JSON.parse(JSON.stringify(event ?? null));
          const result =
            reader && isStreaming(handler)
              ? await runStreaming(handler, given, context, reader)
              : await handler(given, context);
          const output = JSON.stringify(result ?? null);
          end(() => resolve(JSON.parse(output)), { output });
        } catch (error) {
          fail(new FunctionError(failureOf(error)));
        }
      });
      return promise;
    };

    return {
      invoke: (name, event) => run(name, event),
      invokeInTurn: (name, event) => run(name, event),
      stream: async (name, event, reader) => void (await run(name, event, reader)),
      load: async (name) => {
        const spec = specs.get(name);
        if (spec) await environmentOf(spec).handler;
      },
      megabytes: async () => 0,
      stop: async () => {
        for (const environment of [...environments.values()].flat()) environment.process.isAlive = false;
      },
    };
  };
  return { makeInvoker: open, update };
};

Object.assign(globalThis, { awslambda });
