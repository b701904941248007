/**
 * Compares the API of the laptop with a kube-apiserver and etcd: the same requests, with one client and with several.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { ApiError } from '../api/client.ts';
import { synth } from '../commands/synth.ts';
import { installCustomResources } from '../conformance/custom-resources.ts';
import { provideEnvtest } from '../conformance/envtest.ts';
import { startKubeApiserver } from '../conformance/kube-apiserver.ts';
import { lockIn } from '../conformance/lock.ts';
import { cacheFor } from '../conformance/run-tool.ts';
import { makeToken } from '../kubeconfig/token.ts';
import { readAccess, startChild, stopChild } from './child.ts';
import { type Connection, connect } from './connection.ts';
import { measureApiBundle } from './imports.ts';
import { type KubeApiFigures, OPERATIONS, type Samples } from './kube-api-figures.ts';

const CLIENTS = [1, 16] as const;
const MACHINES = 1000;
/** How often each operation is measured, by the number of clients. */
const REPEATS = { get: [100, 400], list: [5, 16], create: [100, 400], patch: [100, 400], apply: [100, 400] } as const;
const WATCHED = 10;

const MACHINES_PATH = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const machine = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'bench' } },
  spec: {
    clusterName: 'bench',
    version: 'v1.34.0',
    bootstrap: { dataSecretName: 'bootstrap' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
  },
});

/** Milliseconds of each of `count` calls, made by this number of concurrent clients. */
const measureCalls = async (
  count: number,
  clients: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> => {
  const times: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const begun = performance.now();
      await call(index);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return times;
};

const fill = async ({ send }: Connection, from: number): Promise<void> => {
  await measureCalls(MACHINES - from, 16, (index) => send('POST', MACHINES_PATH, machine(`m-${from + index}`)));
};

/** The time from sending a write until its event arrives on an open watch. */
const measureWatch = async ({ send, watch }: Connection, clients: number): Promise<number[]> => {
  const { metadata } = (await send('GET', `${MACHINES_PATH}?limit=1`)) as { metadata: { resourceVersion: string } };
  const watches = await Promise.all(
    Array.from({ length: clients }, () =>
      watch(`${MACHINES_PATH}?watch=true&resourceVersion=${metadata.resourceVersion}`),
    ),
  );
  const times: number[] = [];
  for (let round = 0; round < WATCHED; round++) {
    const value = `round-${round}`;
    const arrivals = watches.map((events) => events.until((line) => line.includes(value)));
    const sent = performance.now();
    await send('PATCH', `${MACHINES_PATH}/m-0`, { metadata: { annotations: { bench: value } } }, MERGE);
    times.push(...(await Promise.all(arrivals)).map((arrived) => arrived - sent));
  }
  for (const events of watches) events.close();
  return times;
};

type Measurement = [operation: keyof Samples, clients: number, milliseconds: number[]];

/** All operations against one server, one per step, in an order in which each finds the objects that it needs. */
async function* measurements(connection: Connection): AsyncGenerator<Measurement, void> {
  const { send } = connection;
  const nameOf = (index: number): string => `${MACHINES_PATH}/m-${index}`;
  let created = 0;
  for (const [turn, clients] of CLIENTS.entries()) {
    const from = created;
    const count = REPEATS.create[turn] ?? 0;
    const createOne = (index: number) => send('POST', MACHINES_PATH, machine(`m-${from + index}`));
    yield ['create', clients, await measureCalls(count, clients, createOne)];
    created += count;
  }
  await fill(connection, created);
  for (const [turn, clients] of CLIENTS.entries()) {
    const value = `x${clients}`;
    const calls = {
      get: (index: number) => send('GET', nameOf(index)),
      list: () => send('GET', MACHINES_PATH),
      patch: (index: number) => send('PATCH', nameOf(index), { metadata: { annotations: { bench: value } } }, MERGE),
      apply: (index: number) => {
        const wanted = machine(`m-${index}`);
        const body = { ...wanted, spec: { ...wanted.spec, failureDomain: value } };
        return send('PATCH', `${nameOf(index)}?fieldManager=bench&force=true`, body, APPLY);
      },
    };
    for (const operation of ['get', 'list', 'patch', 'apply'] as const) {
      yield [operation, clients, await measureCalls(REPEATS[operation][turn] ?? 0, clients, calls[operation])];
    }
    yield ['watch', clients, await measureWatch(connection, clients)];
  }
}

/** Alternates between the servers at each step, so that other load on the computer slows down both. */
const measureInTurn = async (
  ours: Connection,
  theirs: Connection,
): Promise<Pick<KubeApiFigures, 'ours' | 'theirs'>> => {
  const [mine, others] = [measurements(ours), measurements(theirs)];
  const figures = { ours: noSamples(), theirs: noSamples() };
  for await (const [operation, clients, milliseconds] of others) {
    figures.theirs[operation][clients] = milliseconds;
    const { value } = await mine.next();
    if (value) figures.ours[value[0]][value[1]] = value[2];
  }
  return figures;
};

const noSamples = (): Samples =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, {}])) as unknown as Samples;

const withOurs = async <R>(measure: (connection: Connection) => Promise<R>): Promise<R> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-bench-'));
  try {
    const child = await startChild(home, 2);
    const access = readAccess(home);
    const { token } = await makeToken(access, systemClock.now());
    const connection = connect({ url: access.server, ca: access.caPem, token });
    return await measure(connection).finally(async () => {
      connection.close();
      await stopChild(child);
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

const withTheirs = async <R>(measure: (connection: Connection) => Promise<R>): Promise<R> => {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const lock = lockIn(cacheFor('locks'), say);
  const server = await startKubeApiserver(lock('kube-apiserver', () => provideEnvtest(say)));
  const connection = connect(server);
  const sendJson = async (method: string, path: string, body?: unknown): Promise<{ code: number; body: unknown }> => {
    try {
      return { code: method === 'POST' ? 201 : 200, body: await connection.send(method, path, body) };
    } catch (error) {
      if (error instanceof ApiError) return { code: error.status.code ?? 0, body: error.status };
      throw error;
    }
  };
  try {
    await installCustomResources(sendJson, KINDS);
    return await measure(connection);
  } finally {
    connection.close();
    await server.stop();
  }
};

/** Measures both, and the bundle of the api function. */
export const measureKubeApi = async (): Promise<KubeApiFigures> => {
  await synth({ quiet: true });
  const bundle = await measureApiBundle();
  const figures = await withTheirs((theirs) => withOurs((ours) => measureInTurn(ours, theirs)));
  return { ...figures, bundle };
};
