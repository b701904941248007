/** The laptop's runtime with the real stack, whose functions are small stubs: for tests of the runtime itself. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as kms from '@aws-sdk/client-kms';
import { systemClock } from '../../shared/clock.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { synthesizeFixture } from '../fixture-stack.ts';
import { createWireServer } from './engines/wire/server.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from './runtime.ts';

const CLUSTER_OBJECTS = `
const results = { teardown: { done: true } };
const finish = { again: false, waitSeconds: 0, wanted: 1 };
const modes = ['busy', 'gone', 'paused', 'delete'];
const regardless = ['unready-for-long', 'endpoint-unready'];
let flaky = 0;
const fail = (name, message) => { throw Object.assign(new Error(message), { name }); };
export const handler = async (event) => {
  console.log(event.step, process.env.WINDLASS_TABLE ?? 'no variable outside of the import');
  const { name } = event.cluster;
  const mode = modes.includes(name) ? name : regardless.includes(name) ? 'unready' : 'normal';
  if (event.step === 'begin') return { wanted: 1, mode, infrastructure: 'aws' };
  if (event.step === 'certificates' && name === 'refused') fail('Refused', 'no permission');
  if (event.step.startsWith('certificates')) return { ready: true, changes: name === 'changing' };
  if (event.step === 'machines' && event.checked !== (name === 'changing')) fail('Refused', 'checked or not');
  if (event.step === 'machines' && name === 'bad') fail('Invalid', 'one object is bad');
  if (event.step === 'machines' && name === 'flaky' && flaky++ === 0) fail('Transient', 'try again');
  if (event.step === 'machines' && name === 'slow') await new Promise((resolve) => setTimeout(resolve, 60000));
  if (event.step === 'machines' && name === 'large') return 'x'.repeat(300000);
  if (event.step === 'concludeAfterFailure' && event.failure.Error !== 'Invalid') fail('Refused', 'another failure');
  if (['fail', 'conclude', 'concludeWhileUnready', 'concludeAfterFailure'].includes(event.step)) return finish;
  return results[event.step];
};`;

/** The foundation of clusters named `unready…` is not ready; nor is the endpoint of `endpoint-unready`. */
const READY = `export const handler = async ({ step, cluster: { name } }) => {
  const ready = step === 'endpoint' ? name !== 'endpoint-unready' : step === 'egress' || !name.startsWith('unready');
  return { ready, done: true };
};`;

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

const WATCH = `
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const headers = { 'content-type': 'application/json' };
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: 200, headers });
  out.write(JSON.stringify({ function: 'watch', ...event }));
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
  watch: WATCH,
  authorizer: AUTHORIZER,
  drift: `export const handler = async (event) => ({ time: event.time, table: process.env.WINDLASS_TABLE ?? null });`,
};

export interface FixtureRuntime {
  runtime: Runtime;
  options: RuntimeOptions;
  /** The output of the functions, each piece after the function's name. */
  logs: string[];
  stop(): Promise<void>;
}

/** Starts the runtime with an AWS that serves DynamoDB, Step Functions and the creation of keys. */
export const startFixtureRuntime = async (): Promise<FixtureRuntime> => {
  const wireServer = createWireServer({ clock: systemClock, random: systemRandom, log: silentLog });
  const Arn = 'arn:aws:kms:us-east-1:000000000000:key/k';
  wireServer.add<typeof kms>(kms.KMSClient, kms, { CreateKey: () => ({ KeyMetadata: { KeyId: 'k', Arn } }) });
  const logs: string[] = [];
  const options: RuntimeOptions = {
    outdir: synthesizeFixture({ sources: SOURCES }),
    awsUrl: await wireServer.listen(),
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
  const runtime = await startRuntime(options);
  const stop = async () => {
    await runtime.stop();
    await wireServer.close();
  };
  return { runtime, options, logs, stop };
};
