import { mkdtempSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { synth } from '../../infra/cli/commands/synth.ts';
import { makeToken } from '../../infra/cli/kubeconfig/token.ts';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { createAccount } from '../../infra/local/account.ts';
import { type SimulatedAws, startAws } from '../../infra/local/aws.ts';
import { createDataPlane } from '../../infra/local/engines/elbv2/data-plane.ts';
import { type Runtime, startRuntime } from '../../infra/local/runtime.ts';
import { loadAssembly } from '../../infra/local/template.ts';
import { systemClock } from '../../shared/clock.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { STEPS, type StepFunction } from '../../shared/work/steps.ts';
import { definitionsOf } from './definitions.ts';

/** The template with hosts, so that it has all functions, on the simulated AWS and with the deployed bundles. */

const bundlesOf = (outdir: string): string => {
  const [bundles, ...more] = [...loadAssembly(outdir).assets.values()].filter((path) => statSync(path).isDirectory());
  if (bundles === undefined || more.length > 0) throw new Error(`${outdir} has not one directory of bundles`);
  return bundles;
};

let outdir: string;
let aws: SimulatedAws;
let runtime: Runtime;
let token: string;
const functionLogs: string[] = [];

beforeAll(async () => {
  outdir = synthesizeFixture({ bundles: bundlesOf(inject('outdir')), context: { hosts: 'true' } });
  const directory = mkdtempSync(join(tmpdir(), 'windlass-laptop-'));
  const account = createAccount({ clock: systemClock, random: systemRandom });
  aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  const { accountId, region, credentials } = account;
  runtime = await startRuntime({
    outdir,
    awsUrl: aws.url,
    wireServer: aws.server,
    port: 0,
    tlsDirectory: join(directory, 'tls'),
    accountId,
    region,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    onFunctionLog: (name, text) => functionLogs.push(`${name}: ${text}`),
  });
  const clusterId = runtime.outputs.ClusterId ?? '';
  ({ token } = await makeToken({ clusterId, region, credentials }, new Date()));
}, LIMIT);

afterAll(async () => {
  await runtime?.stop();
  await aws?.close();
});

const get = (path: string, bearer: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ ca: runtime.caPem, keepAlive: false });
    const headers = { Authorization: `Bearer ${bearer}`, Accept: 'application/json' };
    const call = request(`${runtime.url}${path}`, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    call.on('error', reject);
    call.end();
  });

it('runs byte for byte the state machines of the synthesized template', () => {
  const definitions = definitionsOf(outdir);
  expect(definitions).toHaveLength(4);
  for (const { name, text } of definitions) expect(runtime.definitions().get(`Windlass-${name}`)).toBe(text);
});

it('keeps the assembly while its inputs do not change', async () => {
  expect(await synth({ quiet: true })).toEqual({ outdir: inject('outdir'), reused: true });
});

it('responds to a caller whom the simulated STS authenticates, and refuses a changed token', async () => {
  const answer = await get('/api/v1/namespaces', token);
  expect(answer.status, `${answer.body} ${functionLogs.join('')}`).toBe(200);
  expect(JSON.parse(answer.body).kind).toBe('NamespaceList');
  const changed = Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString();
  const forged = changed.replace(/(X-Amz-Signature=)./, (_, name: string) => `${name}z`);
  expect((await get('/api', `k8s-aws-v1.${Buffer.from(forged).toString('base64url')}`)).status).toBe(401);
});

it.each(Object.keys(STEPS) as StepFunction[])(
  'loads %s, which lists its steps if it is called with an unknown one',
  async (name) => {
    const steps = new RegExp(`^${name} has no step "none"; its steps are ${STEPS[name].join(', ')}$`);
    await expect(runtime.invoke(`Windlass-${name}`, { step: 'none' })).rejects.toThrow(steps);
  },
);

it('sweeps an empty account without an error', async () => {
  await expect(runtime.invoke('Windlass-drift', {})).resolves.toBeDefined();
});
