import { mkdtempSync, writeFileSync } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { PATIENCE } from '../../../../shared/test-patience.ts';
import type { Invoked } from '../../meter/lambda-time.ts';
import { makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import { type Invoker, makeInvoker } from './invoker.ts';

let invoker: Invoker | undefined;

afterEach(async () => {
  await invoker?.stop();
});

const start = (source: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-invoker-')), 'index.mjs');
  writeFileSync(file, source);
  const clock = makeHandClock();
  const logs: string[] = [];
  const invoked: unknown[][] = [];
  const spec = {
    name: 'f',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:f',
    file,
    exported: 'handler',
    environment: { OWN: 'own' },
    timeoutSeconds: 3,
    memoryMegabytes: 128,
  };
  const dependencies = {
    clock,
    random: makeSeededRandom('test'),
    onLog: (_: string, text: string) => logs.push(text),
    onInvoked: (...told: unknown[]) => invoked.push(told),
  };
  const made = makeInvoker({ functions: [spec], shared: { SHARED: 'shared' } }, dependencies);
  invoker = made;
  return { invoker: made, clock, logs, invoked };
};

it('gives a function its own and the shared variables at import, and none of the process', async () => {
  process.env.WINDLASS_TEST_ONLY = 'ours';
  const { invoker } = start(`
    const { OWN } = process.env;
    export const handler = async () => [OWN, process.env.OWN, process.env.SHARED, process.env.WINDLASS_TEST_ONLY];`);
  expect(await invoker.invoke('f', {})).toEqual(['own', null, 'shared', null]);
});

it('gives a function the same compile cache as the process', async () => {
  // Has no effect if the environment has already enabled it.
  enableCompileCache(mkdtempSync(join(tmpdir(), 'windlass-compiled-')));
  const { invoker } = start(`
    import { getCompileCacheDir } from 'node:module';
    export const handler = async () => getCompileCacheDir() ?? null;`);
  expect(await invoker.invoke('f', {})).toBe(getCompileCacheDir());
});

it('names the calling function in signed requests, and in no others', async () => {
  const { invoker } = start(`
    import { request } from 'node:http';
    const seen = (headers) => new Promise((resolve) => {
      const made = request({ host: '127.0.0.1', port: 1, headers });
      made.once('error', () => resolve(made.getHeader('x-windlass-function') ?? null));
      made.end();
    });
    export const handler = async () => [await seen({ authorization: 'AWS4-HMAC-SHA256 Credential=x' }), await seen({})];`);
  expect(await invoker.invoke('f', {})).toEqual(['f', null]);
});

it('reports the name of a thrown error, as Step Functions gets it', async () => {
  const { invoker } = start(`
    export const handler = async () => { throw Object.assign(new Error('slow down'), { name: 'Throttled' }); };`);
  await expect(invoker.invoke('f', {})).rejects.toMatchObject({
    name: 'Throttled',
    failure: { errorType: 'Throttled', errorMessage: 'slow down' },
  });
});

it('ends an invocation at the function’s time limit', async () => {
  const { invoker, clock } = start(`export const handler = () => new Promise(() => {});`);
  const result = invoker.invoke('f', {});
  clock.advance(3000);
  await expect(result).rejects.toMatchObject({
    name: 'Sandbox.Timedout',
    message: 'Task timed out after 3.00 seconds',
  });
});

it('reports a function that ends its process, and restarts the process', async () => {
  const { invoker } = start(`
    export const handler = async ({ exit }) => { if (exit) process.exit(1); return 'alive'; };`);
  await expect(invoker.invoke('f', { exit: true })).rejects.toMatchObject({ name: 'Runtime.ExitError' });
  expect(await invoker.invoke('f', {})).toBe('alive');
});

it('reports an error in a bundle at each invocation', async () => {
  const { invoker } = start(`export const other = 1;`);
  await expect(invoker.invoke('f', {})).rejects.toThrow('exports no function "handler"');
});

it('refuses an event over 6 MB', async () => {
  const { invoker } = start(`export const handler = async () => null;`);
  await expect(invoker.invoke('f', 'x'.repeat(7_000_000))).rejects.toMatchObject({ name: 'RequestTooLargeException' });
});

it('passes on what a function prints, with the name of the function', async () => {
  const { invoker, logs } = start(`export const handler = async () => { console.log('one'); console.error('two'); };`);
  await invoker.invoke('f', {});
  expect(logs.join('')).toBe('one\ntwo\n');
});

it('closes a stream whose reader is gone', async () => {
  const { invoker } = start(`
    let ended = 0;
    export const handler = awslambda.streamifyResponse(async (event, stream) => {
      stream.write('first');
      await new Promise((resolve) => stream.once('close', resolve));
    });`);
  const gone = new AbortController();
  const reader = { chunk: () => gone.abort() };
  await invoker.stream('f', {}, reader, gone.signal);
  expect(gone.signal.aborted).toBe(true);
});

it('passes on in one piece what a function writes at once', async () => {
  const { invoker } = start(`
    export const handler = awslambda.streamifyResponse(async (event, stream) => {
      const answer = awslambda.HttpResponseStream.from(stream, { statusCode: 200 });
      answer.write('first,');
      answer.write('second');
      answer.end();
    });`);
  const pieces: string[] = [];
  await invoker.stream('f', {}, { chunk: (bytes) => void pieces.push(Buffer.from(bytes).toString()) });
  expect(pieces).toEqual([`{"statusCode":200}${'\0'.repeat(8)}first,second`]);
});

it('makes a function that writes much wait for a slow reader', async () => {
  const { invoker, logs } = start(`
    import { once } from 'node:events';
    export const handler = awslambda.streamifyResponse(async (event, stream) => {
      for (let piece = 0; piece < 40; piece++) {
        if (!stream.write(Buffer.alloc(100_000))) await once(stream, 'drain');
        console.log('piece ' + piece);
      }
      stream.end();
    });`);
  const first = Promise.withResolvers<void>();
  let read = 0;
  const ended = invoker.stream(
    'f',
    {},
    {
      chunk: async (bytes) => {
        if (read === 0) await first.promise;
        read += bytes.byteLength;
      },
    },
  );
  await expect.poll(() => logs.length, PATIENCE).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(logs.length).toBeLessThan(20);
  first.resolve();
  await ended;
  expect(read).toBe(4_000_000);
});

it('reports the requests and the duration of an invocation to the meter', async () => {
  const { invoker, invoked } = start(`
    import { createServer, request } from 'node:http';
    const server = createServer((_, answer) => answer.end());
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const authorization = 'AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/dynamodb/aws4_request, Signature=x';
    const ask = (headers) => new Promise((resolve) =>
      request({ port: server.address().port, headers }, (answer) => answer.resume().once('close', resolve)).end());
    export const handler = async () => { await ask({ authorization }); await ask({}); };`);
  await invoker.invoke('f', {});
  await expect.poll(() => invoked, PATIENCE).toHaveLength(1);
  const [[name, megabytes, told]] = invoked as [[string, number, Invoked]];
  expect([name, megabytes, told.spans.map(([service]) => service)]).toEqual(['f', 128, ['dynamodb', 'other']]);
  const times = told.spans.flatMap(([, begin, end]) => [begin, end]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(told.begin).toBeLessThanOrEqual(times[0] ?? 0);
  expect(told.end).toBeGreaterThanOrEqual(times.at(-1) ?? 0);
});
