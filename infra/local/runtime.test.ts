import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as kms from '@aws-sdk/client-kms';
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { synthesizeFixture } from '../fixture-stack.ts';
import { createWireServer, type WireServer } from './engines/wire/server.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from './runtime.ts';
import { loadAssembly } from './template.ts';

const CLUSTER_OBJECTS = `
const results = { begin: { mode: 'normal' }, certificates: { ready: true }, teardown: { done: true } };
const finish = { again: false, waitSeconds: 0 };
let flaky = 0;
const fail = (name, message) => { throw Object.assign(new Error(message), { name }); };
export const handler = async (event) => {
  console.log(event.step, process.env.WINDLASS_TABLE ?? 'no variable outside of the import');
  const { name } = event.cluster;
  if (event.step === 'begin') return { mode: ['busy', 'gone', 'paused', 'delete'].includes(name) ? name : 'normal' };
  if (event.step === 'workers' && name === 'refused') fail('Refused', 'no permission');
  if (event.step === 'workers' && name === 'flaky' && flaky++ === 0) fail('Transient', 'try again');
  if (event.step === 'workers' && name === 'slow') await new Promise((resolve) => setTimeout(resolve, 60000));
  if (event.step === 'workers' && name === 'large') return 'x'.repeat(300000);
  if (event.step === 'fail' || event.step === 'finish') return finish;
  return results[event.step];
};`;

const READY = 'export const handler = async () => ({ ready: true, done: true });';

const API = `
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const headers = { 'content-type': 'application/json' };
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200, headers });
  if (event.path === '/silent') return out.end();
  if (event.path === '/broken') throw new Error('broken');
  if (event.path !== '/watch') return out.end(out.write(JSON.stringify(event)) ? '' : '');
  for (const part of ['one', 'two', 'three']) {
    out.write(part);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  out.end();
});`;

const AUTHORIZER = `
let asked = 0;
export const handler = async ({ authorizationToken, methodArn }) => {
  if (authorizationToken.endsWith('bad')) throw new Error('Unauthorized');
  if (authorizationToken.endsWith('down')) throw new Error('STS is down');
  const Effect = authorizationToken.endsWith('denied') ? 'Deny' : 'Allow';
  const Resource = methodArn.split('/').slice(0, 2).join('/') + '/*';
  const policyDocument = { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] };
  return { principalId: 'ann', policyDocument, context: { asked: ++asked } };
};`;

const SOURCES = {
  'cluster-objects': CLUSTER_OBJECTS,
  'cluster-network': READY,
  'cluster-load-balancer': READY,
  api: API,
  authorizer: AUTHORIZER,
  drift: `export const handler = async (event) => ({ time: event.time, table: process.env.WINDLASS_TABLE ?? null });`,
};

let wireServer: WireServer;
let runtime: Runtime;
let sfn: SFNClient;
let outdir: string;
let options: RuntimeOptions;
const logs: string[] = [];

beforeAll(async () => {
  outdir = synthesizeFixture({ sources: SOURCES });
  wireServer = createWireServer({ clock: systemClock, random: systemRandom, log: silentLog });
  const Arn = 'arn:aws:kms:us-east-1:000000000000:key/k';
  wireServer.add<typeof kms>(kms.KMSClient, kms, { CreateKey: () => ({ KeyMetadata: { KeyId: 'k', Arn } }) });
  const awsUrl = await wireServer.listen();
  options = {
    outdir,
    awsUrl,
    wireServer,
    port: 0,
    tlsDirectory: mkdtempSync(join(tmpdir(), 'windlass-tls-')),
    accountId: '000000000000',
    region: 'us-east-1',
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    onFunctionLog: (name, text) => logs.push(`${name}: ${text}`),
  };
  runtime = await startRuntime(options);
  const credentials = { accessKeyId: '000000000000', secretAccessKey: 'x' };
  sfn = new SFNClient({ endpoint: awsUrl, region: 'us-east-1', credentials });
});

afterAll(async () => {
  sfn?.destroy();
  await runtime?.stop();
  await wireServer?.close();
});

const machineArn = (name: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:Windlass-${name}`;

const start = (name: string, execution: string) => {
  const input = { cluster: { namespace: 'default', name, uid: 'u' }, wanted: 1, holder: execution };
  return sfn.send(
    new StartExecutionCommand({
      stateMachineArn: machineArn('converge-cluster'),
      name: execution,
      input: JSON.stringify(input),
    }),
  );
};

const ended = async (executionArn: string | undefined) => {
  const found = runtime.executions().find(({ arn }) => arn === executionArn);
  await found?.ended;
  return sfn.send(new DescribeExecutionCommand({ executionArn }));
};

const historyOf = async (executionArn: string | undefined) => {
  const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  return events;
};

const statesOf = async (executionArn: string | undefined): Promise<string[]> =>
  (await historyOf(executionArn)).flatMap(({ type, stateEnteredEventDetails }) =>
    type === 'TaskStateEntered' ? [stateEnteredEventDetails?.name ?? ''] : [],
  );

describe('workflows', () => {
  it('are byte for byte those of the template', async () => {
    const { template } = loadAssembly(outdir);
    const machines = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::StepFunctions::StateMachine',
    );
    const functionNames = Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' ? [[id, String(Properties?.FunctionName)] as const] : [],
    );
    const names = new Map(functionNames);
    for (const { Properties } of machines) {
      const join = Properties?.DefinitionString as { 'Fn::Join': [string, (string | { 'Fn::GetAtt': [string] })[]] };
      const expected = join['Fn::Join'][1]
        .map((part) =>
          typeof part === 'string'
            ? part
            : `arn:aws:lambda:us-east-1:000000000000:function:${names.get(part['Fn::GetAtt'][0])}`,
        )
        .join('');
      const name = String(Properties?.StateMachineName);
      expect(runtime.definitions().get(name)).toBe(expected);
      const stateMachineArn = machineArn(name.replace('Windlass-', ''));
      const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
      expect(definition).toBe(expected);
    }
    expect(machines).toHaveLength(3);
  });

  it('runs a normal pass through all its steps', async () => {
    const { executionArn } = await start('one', 'normal-1');
    const result = await ended(executionArn);
    expect(result.status).toBe('SUCCEEDED');
    const states = await statesOf(executionArn);
    expect(states.slice(0, 2)).toEqual(['begin', 'network']);
    expect(states.slice(2, 5).sort()).toEqual(['certificates', 'loadBalancer', 'natGateways']);
    expect(states.slice(5)).toEqual(['controlPlane', 'workers', 'launch', 'probe', 'report', 'finish']);
  });

  it.each([
    ['busy', ['begin']],
    ['gone', ['begin']],
    ['paused', ['begin', 'report', 'finish']],
    ['delete', ['begin', 'teardown', 'deleteLoadBalancer', 'deleteNetwork', 'report', 'finish']],
  ])('runs a pass in mode %s', async (mode, states) => {
    const { executionArn } = await start(mode, `mode-${mode}`);
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    expect(await statesOf(executionArn)).toEqual(states);
  });

  it('tries again what a retryable error ended, and hands everything else to the failing step', async () => {
    const flaky = await start('flaky', 'flaky-1');
    expect((await ended(flaky.executionArn)).status).toBe('SUCCEEDED');
    expect((await historyOf(flaky.executionArn)).filter(({ type }) => type === 'LambdaFunctionFailed')).toHaveLength(1);

    const refused = await start('refused', 'refused-1');
    const result = await ended(refused.executionArn);
    expect(result.status).toBe('SUCCEEDED');
    expect((await statesOf(refused.executionArn)).slice(-2)).toEqual(['workers', 'fail']);
    const { failure } = JSON.parse(result.output ?? '{}');
    expect(failure.Error).toBe('Refused');
    expect(JSON.parse(failure.Cause)).toMatchObject({ errorType: 'Refused', errorMessage: 'no permission' });
  });

  it('ends an execution whose payload is larger than 256 KB, which no Catch may hide', async () => {
    const { executionArn } = await start('large', 'large-1');
    const { status, error } = await ended(executionArn);
    expect([status, error]).toEqual(['FAILED', 'States.DataLimitExceeded']);
  });

  it('uses a name once: the same input joins, another one or an ended execution is refused', async () => {
    const first = await start('slow', 'slow-1');
    const again = await start('slow', 'slow-1');
    expect(again.executionArn).toBe(first.executionArn);
    await expect(start('another', 'slow-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await sfn.send(new StopExecutionCommand({ executionArn: first.executionArn, error: 'Enough', cause: 'of it' }));
    const stopped = await ended(first.executionArn);
    expect(stopped).toMatchObject({ status: 'ABORTED', error: 'Enough', cause: 'of it' });
    await expect(start('slow', 'slow-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await expect(start('one', 'no spaces')).rejects.toMatchObject({ name: 'InvalidName' });
  });

  it('lists executions by status, page by page', async () => {
    const stateMachineArn = machineArn('converge-cluster');
    const command = { stateMachineArn, statusFilter: 'SUCCEEDED', maxResults: 2 } as const;
    const first = await sfn.send(new ListExecutionsCommand(command));
    const second = await sfn.send(new ListExecutionsCommand({ ...command, nextToken: first.nextToken }));
    const names = [...(first.executions ?? []), ...(second.executions ?? [])].map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names).not.toContain('slow-1');
  });
});

describe('functions', () => {
  it('see their own variables while they are imported, and none later', async () => {
    expect(await runtime.invoke('Windlass-drift', { time: 'now' })).toEqual({ time: 'now', table: null });
    expect(logs.join('')).toContain('Windlass-cluster-objects: begin no variable outside of the import');
  });
});

const get = (
  path: string,
  token: string | undefined,
  body?: Buffer,
): Promise<{ status: number; body: string; pieces: number; headers: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer k8s-aws-v1.${token}` };
    const agent = new Agent({ ca: runtime.caPem, keepAlive: false });
    const call = request(`${runtime.url}${path}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          pieces: chunks.length,
          headers: response.headers,
        }),
      );
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });

describe('the API', () => {
  it('hands a request to the function with its caller', async () => {
    const { status, body, headers } = await get('/api/v1/pods?watch=1&a=x%20y&a=z', 'good');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    const event = JSON.parse(body);
    expect(event).toMatchObject({
      resource: '/{proxy+}',
      path: '/api/v1/pods',
      httpMethod: 'GET',
      pathParameters: { proxy: 'api/v1/pods' },
      queryStringParameters: { watch: '1', a: 'z' },
      multiValueQueryStringParameters: { a: ['x y', 'z'] },
      body: null,
      isBase64Encoded: false,
      requestContext: { path: '/k8s/api/v1/pods', stage: 'k8s', authorizer: { principalId: 'ann', asked: '1' } },
    });
    expect(event.headers.Authorization).toBe('Bearer k8s-aws-v1.good');
  });

  it('remembers the authorizer’s answer for a token', async () => {
    const { body } = await get('/version', 'good');
    expect(JSON.parse(body).requestContext.authorizer.asked).toBe('1');
  });

  it.each([
    ['no token', undefined, 401, 'Unauthorized'],
    ['a token of another shape', 'b.a.d', 401, 'Unauthorized'],
    ['a refused token', 'bad', 401, 'Unauthorized'],
    ['a denied caller', 'denied', 403, 'Forbidden'],
    ['an authorizer that fails', 'down', 500, 'InternalError'],
  ])('answers %s with a Status', async (_, token, code, reason) => {
    const { status, body } = await get('/api', token);
    expect(status).toBe(code);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason });
  });

  it('streams what the function writes as it is written', async () => {
    const { body, pieces } = await get('/watch', 'good');
    expect(body).toBe('onetwothree');
    expect(pieces).toBeGreaterThanOrEqual(3);
  });

  it('answers 502 when the function fails or ends without writing', async () => {
    expect((await get('/broken', 'good')).status).toBe(502);
    expect((await get('/silent', 'good')).status).toBe(502);
  });

  it('refuses a body over 10 MB', async () => {
    expect((await get('/api', 'good', Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('answers 403 outside of its stage', async () => {
    const outside = { ...runtime, url: runtime.url.replace('/k8s', '/other') };
    const inside = runtime;
    runtime = outside;
    const { status } = await get('/api', 'good');
    runtime = inside;
    expect(status).toBe(403);
  });
});

it('says in one line that its port is taken, and keeps its authority over a restart', async () => {
  const port = Number(new URL(runtime.url).port);
  await expect(startRuntime({ ...options, port })).rejects.toThrow(
    `port ${port} is in use: is another npm start running?`,
  );
  const second = await startRuntime(options);
  expect(second.caPem).toBe(runtime.caPem);
  await second.stop();
});
