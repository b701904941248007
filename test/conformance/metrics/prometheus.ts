/** Runs a Prometheus in its own process, and queries its HTTP API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { launch, type Result, until } from '../quickstart/windlass.ts';

/** The path of a program. Throws an Error that names the missing environment variable. */
export const programOf = (name: 'prometheus' | 'promtool'): string => {
  const directory = process.env.WINDLASS_PROMETHEUS;
  if (!directory) throw new Error('WINDLASS_PROMETHEUS is not set: run the suite by npm run conformance -- metrics');
  return join(directory, name);
};

export const promtool = (...args: string[]): Promise<Result> => launch(programOf('promtool'), args).ended;

export interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Prometheus {
  /** Runs an instant query. Rejects with Prometheus' message if the query is invalid. */
  query(expression: string): Promise<Series[]>;
  /** Requests any other path of its HTTP API. */
  // biome-ignore lint/suspicious/noExplicitAny: the answers of several endpoints, whose shape is what the tests assert.
  get(path: string): Promise<any>;
  stop(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

/** Starts Prometheus with this configuration, in a folder below `home`. Resolves when it is ready. */
export const startPrometheus = async (home: string, config: object): Promise<Prometheus> => {
  const directory = join(home, 'prometheus');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'prometheus.yaml');
  writeFileSync(file, stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    programOf('prometheus'),
    [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString();
  });
  const get: Prometheus['get'] = async (path) => {
    const response = await fetch(`http://${address}${path}`);
    const answer = (await response.json()) as { status: string; error?: string; data: unknown };
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  await until('Prometheus answers', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}: ${said}`);
    const answer = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    return answer?.ok ?? false;
  });
  return {
    query: async (expression) => (await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result,
    get,
    stop: () => end(child),
  };
};
