/**
 * The complete system as `npm start` runs it, for tests: started once per file, on free ports, with a short boot time.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { inject } from 'vitest';
import { type Api, ApiError, makeApi } from '../../infra/cli/api/client.ts';
import { apply } from '../../infra/cli/apply/apply.ts';
import { type Manifest, readManifests } from '../../infra/cli/apply/manifest.ts';
import { type Laptop, type LaptopOptions, startLaptop } from '../../infra/cli/laptop.ts';
import { makeInvoker } from '../../infra/local/engines/lambda/invoker.ts';
import { systemClock } from '../../shared/clock.ts';
import type { Cluster, Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { silentLog } from '../../shared/log.ts';
import { PATIENCE_SECONDS } from '../../shared/test-patience.ts';

export const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
export const INFRASTRUCTURE = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default';
export const CONTROL_PLANE = '/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default';
export const BOOTSTRAP = '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default';

export interface TestLaptop extends Omit<Laptop, 'redeploy'> {
  api: Api;
  ec2: EC2Client;
  logs: string[];
  /** Applies a file like `kubectl apply -f`; returns the refusals. */
  applyFile(file: string, change?: (object: KubeObject) => KubeObject): Promise<string[]>;
  /** Applies objects; returns the refusals. */
  apply(manifests: readonly Manifest[]): Promise<string[]>;
  get<T>(path: string): Promise<T | undefined>;
  list<T>(path: string): Promise<T[]>;
  /** Retries until `look` returns a value; fails with `what` if it never does. */
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  cluster(name: string): Promise<Cluster | undefined>;
  machines(cluster: string): Promise<Machine[]>;
  /** The workload cluster's own API, through the kubeconfig in its Secret. */
  workload(cluster: string, namespace?: string): Promise<CoreV1Api>;
  /** The instances that are not terminated. */
  instances(): Promise<string[]>;
  /** Deploys the stack again into the same account; the result replaces this laptop, whose table is lost. */
  redeploy(): Promise<TestLaptop>;
}

/** Each check is a request to the functions: more frequent checks would slow down the system under test. */
const LOOK_MILLISECONDS = 300;

/**
 * Less frequent garbage collection saves a tenth of the processor time of a suite. A user's laptop saves memory
 * instead.
 */
const YOUNG_MEGABYTES = 96;

const LAST_WARNINGS = 5;
const LINE_CHARACTERS = 300;

const notFound = (error: unknown): boolean => error instanceof ApiError && error.status.code === 404;

/** `calls` is as that of the laptop; `others` are endpoints that replace the simulated AWS, or dynalite, and hosts. */
export const startTestLaptop = async (
  calls?: LaptopOptions['calls'],
  others: Pick<LaptopOptions, 'otherAws' | 'otherDynamoDb' | 'functions' | 'hosts'> & {
    outdir?: string;
    bootMilliseconds?: number;
  } = {},
): Promise<TestLaptop> => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-end-to-end-'));
  const logs: string[] = [];
  const laptop = await startLaptop({
    outdir: inject('outdir'),
    port: 0,
    bootMilliseconds: 100,
    tlsDirectory: join(directory, 'tls'),
    log: silentLog,
    onFunctionLog: (name, text) => logs.push(`${name}: ${text}`),
    host: (settings, dependencies) => makeInvoker(settings, dependencies, YOUNG_MEGABYTES),
    calls,
    ...others,
  });
  return around(laptop, logs);
};

type Conditioned = KubeObject & {
  status?: { phase?: string; conditions?: { type: string; status: string; message?: string }[] };
};

/** The state when a test has waited in vain: conditions that are not true, machines, and the last warnings. */
const stateOf = async (list: TestLaptop['list'], logs: readonly string[]): Promise<string> => {
  const paths = ['clusters', 'machines'].map((kind) => `/apis/cluster.x-k8s.io/v1beta2/${kind}`);
  const objects = (await Promise.all(paths.map((path) => list<Conditioned>(path)))).flat();
  const lines = objects.map(({ kind, metadata, status }) => {
    const open = (status?.conditions ?? []).filter((one) => one.status !== 'True' && one.message);
    const said = open.map((one) => `${one.type}: ${one.message?.split('\n')[0]}`);
    return `${kind} ${metadata.name} ${status?.phase}: ${said.join('; ')}`;
  });
  const warnings = logs.filter((line) => /"level":"(WARN|ERROR)"/.test(line)).slice(-LAST_WARNINGS);
  return [...lines, ...warnings].map((line) => line.slice(0, LINE_CHARACTERS)).join('\n');
};

const around = (laptop: Laptop, logs: string[]): TestLaptop => {
  const { access } = laptop;
  const api = makeApi(access, systemClock);
  const ec2 = new EC2Client({ region: access.region, endpoint: access.awsUrl, credentials: access.credentials });
  const get = async <T>(path: string): Promise<T | undefined> => {
    try {
      return await api.send<T>('GET', path);
    } catch (error) {
      if (notFound(error)) return undefined;
      throw error;
    }
  };
  const list = async <T>(path: string) => (await api.send<{ items: T[] }>('GET', path)).items;
  return {
    ...laptop,
    api,
    ec2,
    logs,
    get,
    list,
    apply: (manifests) => apply(api, manifests, () => {}),
    applyFile: (file, change = (object) => object) =>
      apply(
        api,
        readManifests(file).map((manifest) => ({ ...manifest, object: change(manifest.object) })),
        () => {},
      ),
    until: async (what, look) => {
      const end = Date.now() + PATIENCE_SECONDS * 1000;
      for (;;) {
        const found = await look();
        if (found) return found;
        if (Date.now() > end)
          throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}\n${await stateOf(list, logs)}`);
        await systemClock.sleep(LOOK_MILLISECONDS);
      }
    },
    cluster: (name) => get<Cluster>(`${CORE}/clusters/${name}`),
    machines: (cluster) => list<Machine>(`${CORE}/machines?labelSelector=cluster.x-k8s.io/cluster-name%3D${cluster}`),
    workload: async (cluster, namespace = 'default') => {
      const path = `/api/v1/namespaces/${namespace}/secrets/${cluster}-kubeconfig`;
      const secret = await get<{ data: { value: string } }>(path);
      const config = new KubeConfig();
      config.loadFromString(Buffer.from(secret?.data.value ?? '', 'base64').toString());
      return config.makeApiClient(CoreV1Api);
    },
    instances: async () => {
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
      const all = Reservations.flatMap(({ Instances }) => Instances ?? []);
      return all.filter(({ State }) => State?.Name !== 'terminated').map(({ InstanceId }) => InstanceId ?? '');
    },
    redeploy: async () => {
      api.close();
      ec2.destroy();
      return around(await laptop.redeploy(), logs);
    },
    stop: async () => {
      api.close();
      ec2.destroy();
      await laptop.stop();
    },
  };
};

/** The status of a condition. */
export const conditionOf = (
  object:
    | { status?: { conditions?: { type: string; status: string; reason?: string; message?: string }[] } }
    | undefined,
  type: string,
) => object?.status?.conditions?.find((condition) => condition.type === type);

/** A copy of the quickstart under another name. It needs no other network ranges: VPCs may overlap. */
export const renamed =
  (name: string) =>
  (object: KubeObject): KubeObject =>
    JSON.parse(JSON.stringify(object).replaceAll('quickstart', name)) as KubeObject;
