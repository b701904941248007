import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadAssembly } from '../../../infra/local/template.ts';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { resourcesOf } from '../../template/definitions.ts';

/**
 * The limit of the function's own memory. The function `watch` has 128 MB, because it is billed for as long as a watch
 * is open. Node's code, 46 MB, is mapped from its file and can be evicted when memory is short; written memory cannot.
 * Lambda's runtime, which is not present here, uses some of the rest.
 */
const OWN_MEGABYTES = 80;

/** The watch ends earlier, with the last expected event. */
const SECONDS = 600;
const MEGABYTE = 1_000_000;

const textOf = (bytes: number) => (index: number) => ({ text: `one-${index}`.padEnd(bytes, 'x') });
const keysOf = (count: number, value: string) => () =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k-${key}`, value]));
/** Data that cannot be compressed, as much as fits into an item of DynamoDB. */
const noise = (index: number) => ({
  text: Array.from({ length: 4_000 }, (_, part) =>
    createHash('sha512').update(`${index}/${part}`).digest('base64'),
  ).join(''),
});

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

const eventOf = (path: string, version: string, selector: string) => ({
  httpMethod: 'GET',
  path: `/watches${path}`,
  headers: { accept: 'application/json' },
  multiValueQueryStringParameters: {
    watch: ['true'],
    resourceVersion: [version],
    timeoutSeconds: [String(SECONDS)],
    labelSelector: [selector],
  },
  body: null,
  isBase64Encoded: false,
  requestContext: { authorizer: { userName: 'admin', groups: 'system:masters' } },
});

const makeRegistry = (table: string) => {
  const never = () => Promise.reject(new Error('no Secret is part of this'));
  const access = { client: database.client, table, clock: systemClock, random: systemRandom };
  const storage = createDynamoStorage({ ...access, sealer: { seal: never, open: never } });
  return createRegistry({ resources: KINDS, ...access, storage });
};

/** Runs the function as deployed, but without Lambda's runtime. Returns the report that it prints at the end. */
const runWatch = async (
  table: string,
  { version, expected, selector }: { version: string; expected: number; selector: string },
): Promise<{ events: number; megabytes: number }> => {
  const outdir = inject('outdir');
  const bundles = [...loadAssembly(outdir).assets.values()].find((path) => statSync(path).isDirectory()) ?? '';
  const endpoint = await (database.client.config.endpoint?.() as Promise<{ hostname: string; port: number }>);
  const event = JSON.stringify(eventOf('/api/v1/namespaces/default/configmaps', version, selector));
  const script = join(import.meta.dirname, 'small-watch.ts');
  const child = spawn(process.execPath, [script, join(bundles, 'watch', 'index.mjs'), event, String(expected)], {
    env: {
      PATH: process.env.PATH,
      ...variablesOf(outdir),
      WINDLASS_TABLE: table,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: `http://${endpoint.hostname}:${endpoint.port}`,
    },
  });
  let [said, logged] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  // The process kills itself after its report.
  const [, signal] = await once(child, 'close');
  expect(signal, logged).toBe('SIGKILL');
  return JSON.parse(said.trim().split('\n').at(-1) ?? '');
};

it.runIf(process.platform === 'linux').each([
  ['many changes', 100, textOf(40_000), ''],
  ['long texts', 50, textOf(MEGABYTE), ''],
  ['objects with many values', 25, keysOf(40_000, 'value-of-it'), 'app=x'],
  ['the objects with the most values', 3, keysOf(99_000, ''), ''],
  ['objects that are large as stored', 30, noise, ''],
])('a watch streams %s within its memory', async (_, count, dataOf, selector) => {
  const table = await database.makeTable();
  const registry = makeRegistry(table);
  const create = (name: string, data: Record<string, string>) =>
    registry.create(kinds.configMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', labels: { app: 'x' } },
      data,
    });
  const { object } = await create('first', {});
  await Promise.all(Array.from({ length: count }, (_, index) => create(`one-${index}`, dataOf(index))));

  const { events, megabytes } = await runWatch(table, {
    version: String(object.metadata.resourceVersion),
    expected: count,
    selector,
  });

  expect(events).toBe(count);
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(OWN_MEGABYTES);
});
