/**
 * Runs `npm start -- --keep` in processes that are killed. The next process must continue from the state that they
 * leave.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeInstancesCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Started {
  text(): string;
  /** Ends the process abruptly, as a power failure would, or with Ctrl-C. */
  end(signal: 'SIGKILL' | 'SIGINT'): Promise<void>;
}

const until = async <T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> => {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
    await systemClock.sleep(200);
  }
};

const start = async (home: string, args: readonly string[] = []): Promise<Started> => {
  const env = { ...process.env, WINDLASS_HOME: home };
  const all = ['infra/cli/windlass.ts', 'start', '--keep', '--port', '0', ...args];
  const child = spawn(process.execPath, all, { cwd: ROOT, env });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const end = (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    running.delete(child);
    child.kill(signal);
    return closed;
  };
  await until('the start is ready', () => {
    if (child.exitCode !== null) throw new Error(text);
    return text.includes('State is kept in ');
  });
  return { text: () => text, end };
};

/** Writes the example with one control plane machine and one worker, and returns the path of the file. */
const small = (directory: string): string => {
  const file = join(directory, 'small.yaml');
  const text = readFileSync(join(ROOT, 'examples/quickstart.yaml'), 'utf8');
  writeFileSync(file, text.replaceAll('replicas: 3', 'replicas: 1'));
  return file;
};

const configOf = (text: string): KubeConfig => {
  const config = new KubeConfig();
  config.loadFromString(text);
  return config;
};

const workloadConfig = async (config: KubeConfig): Promise<string> => {
  const core = config.makeApiClient(CoreV1Api);
  const secret = await core.readNamespacedSecret({ namespace: 'default', name: 'quickstart-kubeconfig' });
  return Buffer.from(secret.data?.value ?? '', 'base64').toString();
};

const ec2Of = (home: string): EC2Client => {
  const text = readFileSync(join(home, 'env'), 'utf8');
  const value = (name: string): string => new RegExp(`^export ${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  const credentials = {
    accessKeyId: value('AWS_ACCESS_KEY_ID'),
    secretAccessKey: value('AWS_SECRET_ACCESS_KEY'),
  };
  return new EC2Client({ endpoint: value('AWS_ENDPOINT_URL'), region: value('AWS_REGION'), credentials });
};

/** The ids of the instances that are not terminated. */
const instances = async (home: string): Promise<string[]> => {
  const { Reservations = [] } = await ec2Of(home).send(new DescribeInstancesCommand({}));
  const all = Reservations.flatMap(({ Instances }) => Instances ?? []);
  return all.flatMap(({ State, InstanceId }) => (State?.Name === 'terminated' ? [] : (InstanceId ?? []))).sort();
};

const CLUSTER = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  namespace: 'default',
  plural: 'clusters',
  name: 'quickstart',
};

const isMissing = (error: unknown): boolean => (error as { code?: number }).code === 404;

/** The status of the condition Available, `Unknown` if the condition is missing; undefined if there is no cluster. */
const availability = async (config: KubeConfig): Promise<string | undefined> => {
  try {
    const found = (await config.makeApiClient(CustomObjectsApi).getNamespacedCustomObject(CLUSTER)) as {
      status?: { conditions?: { type: string; status: string }[] };
    };
    return found.status?.conditions?.find(({ type }) => type === 'Available')?.status ?? 'Unknown';
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const nodesOf = async (kubeconfig: string): Promise<string[]> => {
  const { items } = await configOf(kubeconfig).makeApiClient(CoreV1Api).listNode();
  return items
    .filter(({ status }) => status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'))
    .map(({ metadata }) => `${metadata?.name} ${metadata?.uid}`)
    .sort();
};

/** The output at which the process is killed: early, while the machines boot, and while they join. */
const MOMENTS: readonly [what: string, said: RegExp][] = [
  ['while the network is made', /NAT gateways|VPC/],
  ['while machines boot', /Machine quickstart-control-plane-\S+ {2}.*Provisioned/],
  ['while machines become nodes', /API server {2}ready|Machine quickstart-\S+ {2}.*Running/],
];

describe('npm start -- --keep', { timeout: LIMIT * 2 }, () => {
  it.each(MOMENTS)('continues after kill -9 %s, and after one when the cluster is ready', async (_when, said) => {
    const home = mkdtempSync(join(tmpdir(), 'windlass-keep-'));
    const first = await start(home, ['--boot', '1', '--apply', small(home)]);
    await until(`the output says ${said}`, () => said.test(first.text()));
    const early = await instances(home);
    const kubeconfig = readFileSync(join(home, 'kubeconfig'), 'utf8');
    await first.end('SIGKILL');

    const second = await start(home, ['--boot', '1']);
    const config = configOf(kubeconfig);
    await until('the cluster is available', async () => (await availability(config)) === 'True');
    const workload = await workloadConfig(config);
    await until('both nodes are ready', async () => (await nodesOf(workload)).length === 2);
    const [nodes, ready] = [await nodesOf(workload), await instances(home)];
    expect(ready).toHaveLength(2);
    expect(ready).toEqual(expect.arrayContaining(early));
    await second.end('SIGKILL');

    const third = await start(home, ['--boot', '1']);
    expect(readFileSync(join(home, 'kubeconfig'), 'utf8')).toBe(kubeconfig);
    await until('the nodes answer', async () => (await nodesOf(workload).catch(() => [])).length === 2);
    expect(await nodesOf(workload)).toEqual(nodes);
    expect(await availability(config)).toBe('True');
    expect(await instances(home)).toEqual(ready);
    await third.end('SIGINT');

    const fourth = await start(home, ['--boot', '1']);
    await config.makeApiClient(CustomObjectsApi).deleteNamespacedCustomObject(CLUSTER);
    await until('the cluster is gone', async () => (await availability(config)) === undefined);
    expect(await instances(home)).toEqual([]);
    const { Vpcs = [] } = await ec2Of(home).send(new DescribeVpcsCommand({}));
    expect(Vpcs.filter(({ IsDefault }) => !IsDefault)).toEqual([]);
    await fourth.end('SIGINT');
  });
});
