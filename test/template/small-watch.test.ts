import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadAssembly } from '../../infra/local/template.ts';
import { systemClock } from '../../shared/clock.ts';
import { KINDS, kinds } from '../../shared/kinds/index.ts';
import { createRegistry } from '../../shared/kube-api/create-registry.ts';
import { systemRandom } from '../../shared/random.ts';
import { createDynamoStorage } from '../../shared/store/dynamo-storage.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { resourcesOf } from './definitions.ts';

/**
 * The function `watch` runs in 128 MB, because it is billed for as long as a watch is open. Node's own code, 46 MB, is
 * mapped from its file and can be dropped when memory is short; written memory cannot. Lambda's runtime, which is
 * missing here, uses some of the rest.
 */
const OWN_MEGABYTES = 80;

const CHANGES = 100;
const BYTES = 40_000;
const SECONDS = 1;

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.stop());

const variablesOf = (outdir: string): Record<string, string> => {
  const found = resourcesOf(outdir, 'AWS::Lambda::Function').find(
    ([, { FunctionName }]) => FunctionName === 'Windlass-watch',
  );
  const { Variables: given } = (found?.[1].Environment ?? {}) as { Variables: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
};

const eventOf = (path: string, version: string, seconds: number) => ({
  httpMethod: 'GET',
  path: `/watches${path}`,
  headers: { accept: 'application/json' },
  multiValueQueryStringParameters: { watch: ['true'], resourceVersion: [version], timeoutSeconds: [String(seconds)] },
  body: null,
  isBase64Encoded: false,
  requestContext: { authorizer: { userName: 'admin', groups: 'system:masters' } },
});

it.runIf(process.platform === 'linux')('streams many large changes within its memory', async () => {
  const outdir = inject('outdir');
  const bundles = [...loadAssembly(outdir).assets.values()].find((path) => statSync(path).isDirectory()) ?? '';
  const { client, makeTable } = database;
  const table = await makeTable();
  const never = () => Promise.reject(new Error('no Secret is part of this'));
  const access = { client, table, clock: systemClock, random: systemRandom };
  const registry = createRegistry({
    resources: KINDS,
    ...access,
    storage: createDynamoStorage({ ...access, sealer: { seal: never, open: never } }),
  });
  const endpoint = await (client.config.endpoint?.() as Promise<{ hostname: string; port: number }>);
  const create = (name: string) =>
    registry.create(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { text: name.padEnd(BYTES, 'x') },
    });
  const { object } = await create('first');
  await Promise.all(Array.from({ length: CHANGES }, (_, index) => create(`one-${index}`)));

  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'small-watch.ts'),
      join(bundles, 'watch', 'index.mjs'),
      JSON.stringify(
        eventOf('/api/v1/namespaces/default/configmaps', String(object.metadata.resourceVersion), SECONDS),
      ),
    ],
    {
      env: {
        PATH: process.env.PATH,
        ...variablesOf(outdir),
        WINDLASS_TABLE: table,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL: `http://${endpoint.hostname}:${endpoint.port}`,
      },
    },
  );
  let [said, logged] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));

  expect(await ended, logged).toBe(0);
  const { events, megabytes } = JSON.parse(said.trim().split('\n').at(-1) ?? '');
  expect(events).toBe(CHANGES);
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(OWN_MEGABYTES);
});
