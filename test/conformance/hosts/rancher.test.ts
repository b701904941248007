/** Tests Rancher's demo with kubectl: a Cluster of clusterprovisioner.rke.io on simulated hosts, with RKE2. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { synth } from '../../../infra/cli/commands/synth.ts';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { Host, RancherCluster } from '../../../shared/kinds/index.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { must, run } from '../quickstart/windlass.ts';

const EXAMPLES = 'examples/rancher-demo';
const KIND = 'clusters.clusterprovisioner.rke.io';
const HOSTS = 5;
/** The address of a load balancer that the user provides. */
const BALANCER = `${TEST_SUBNET}.100`;
const NEXT = 'v1.34.3+rke2r1';

const scratch = mkdtempSync(join(tmpdir(), 'windlass-rancher-'));
const fileOf = (name: string, text: string): string => {
  const file = join(scratch, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

let laptop: TestLaptop;
let kubeconfig: string;
let balancer: Server;

const options = () => ['--kubeconfig', kubeconfig, '--cache-dir', join(scratch, 'cache')];
const kubectl = (...args: string[]) => must('kubectl', [...options(), ...args]);
const refused = async (...args: string[]) => (await run('kubectl', [...options(), ...args])).stderr;

const here = (file: string): RancherCluster =>
  parse(readFileSync(join(EXAMPLES, file), 'utf8').replaceAll('127.0.66', TEST_SUBNET));

const node = (number: number, ...role: string[]) => ({
  ...{ address: `${TEST_SUBNET}.${number}`, port: 2222, user: 'admin', role },
});
const SERVER = ['controlplane', 'etcd'];

/** Applies the example with other nodes and settings. It has no Kubernetes version unless `more` contains one. */
const apply = async (nodes: readonly object[], more: object = {}): Promise<string> => {
  const cluster = here('cluster.yaml');
  const { kubernetes_version: _, ...before } = parse(cluster.spec.config);
  const config = stringify({ ...before, nodes, ...more });
  return kubectl('apply', '-f', fileOf('cluster.yaml', stringify({ ...cluster, spec: { config } })));
};

/** Reads the Cluster without kubectl, which would start a process for each check of a wait. */
const read = async (): Promise<RancherCluster> => {
  const found = await laptop.get<RancherCluster>('/apis/clusterprovisioner.rke.io/v1alpha1/clusters/demo');
  if (!found) throw new Error('the Cluster demo is gone');
  return found;
};

/** Waits until the condition Provisioned has this reason for the current configuration. Returns its message. */
const untilProvisioned = (reason: string, words = ''): Promise<string> =>
  laptop.until(`Provisioned because of ${reason} ${words}`, async () => {
    const cluster = await read();
    const found = cluster.status?.conditions?.find(({ type }) => type === 'Provisioned');
    const isCurrent = found?.observedGeneration === cluster.metadata.generation;
    return isCurrent && found?.reason === reason && found.message?.includes(words) && `${found.message}.`;
  });

/** The names of the Ready nodes in the workload cluster, which are read with its own kubeconfig. */
const readyNodes = async (name = 'demo'): Promise<string[]> => {
  const secret = JSON.parse(await kubectl('get', 'kubeconfigs', name, '-o', 'jsonpath={.spec.secretRef}'));
  const { namespace, key } = secret;
  const text = await kubectl('-n', namespace, 'get', 'secret', secret.name, '-o', `jsonpath={.data.${key}}`);
  const file = fileOf(`${name}.kubeconfig`, Buffer.from(text, 'base64').toString());
  const ready = '{range .items[?(@.status.conditions[-1].status=="True")]}{.metadata.name}{"\\n"}{end}';
  const own = ['--kubeconfig', file, '--cache-dir', join(scratch, name)];
  return (await must('kubectl', [...own, 'get', 'nodes', '-o', `jsonpath=${ready}`])).trim().split('\n').sort();
};

const claims = async () => {
  const hosts = await laptop.list<Host>('/apis/infrastructure.windlass.dev/v1alpha1/namespaces/rke-demo/hosts');
  return hosts.filter(({ status }) => status?.claim).map(({ metadata }) => metadata.name);
};

/** Forwards a connection to the first host that accepts connections on the port of the API server. */
const balance = (client: Socket, number = 1): void => {
  if (number > HOSTS) return void client.destroy();
  const server = connect({ host: `${TEST_SUBNET}.${number}`, port: 6443 });
  server.once('error', () => {
    if (server.bytesWritten === 0) balance(client, number + 1);
    else client.destroy();
  });
  server.once('connect', () => {
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    client.on('error', () => server.destroy());
  });
};

beforeAll(async () => {
  balancer = createServer((client) => balance(client));
  await once(balancer.listen(6443, BALANCER), 'listening');
  const outdir = mkdtempSync(join(tmpdir(), 'windlass-rancher-out-'));
  await synth({ outdir, quiet: true, context: { hosts: 'true' } });
  laptop = await startTestLaptop(undefined, { outdir, hosts: { count: HOSTS, subnet: TEST_SUBNET } });
  kubeconfig = fileOf('kubeconfig', kubeconfigText(laptop.access));
}, LIMIT);
afterAll(async () => {
  balancer?.close();
  await laptop?.stop();
}, LIMIT);

// The tests run in order: each continues where the previous one ended.
describe('Rancher’s demonstration', { timeout: LIMIT }, () => {
  it('reports which Secret is missing, and continues once it exists', async () => {
    await kubectl('apply', '-f', fileOf('example.yaml', stringify(here('cluster.yaml'))));
    expect(await untilProvisioned('CredentialsInvalid')).toBe(
      'spec.config: ssh_key_path: Secret default/hosts-key does not exist.',
    );
    const secrets = laptop.hosts.filter(({ kind }) => kind === 'Secret');
    await kubectl('apply', '-f', fileOf('secret.yaml', stringify(secrets[0])));
    for (const condition of ['Provisioned', 'Ready'])
      await kubectl('wait', `--for=condition=${condition}`, `${KIND}/demo`, `--timeout=${PATIENCE_SECONDS}s`);

    expect(await readyNodes()).toEqual(['host-1', 'host-2', 'host-3']);
    const { metadata, spec, status } = await read();
    expect(status?.appliedConfig).toBe(spec.config);
    expect(metadata.annotations?.['clusterprovisioner.rke.io/kubernetes-version']).toBe('v1.34.2+rke2r1');
    expect(conditionOf({ status: status as never }, 'Ready')).toMatchObject({
      reason: 'Ready',
      lastUpdateTime: expect.stringMatching(/^20\d\d-.*Z$/),
      lastTransitionTime: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect((await kubectl('get', KIND)).split(/\s+/).slice(0, 9)).toEqual([
      ...['NAME', 'PROVISIONED', 'READY', 'NAMESPACE', 'AGE'],
      ...['demo', 'True', 'True', 'rke-demo'],
    ]);
    // The plural name alone still refers to Cluster API's kind.
    expect(await kubectl('get', 'clusters', '-A', '-o', 'name')).toBe('cluster.cluster.x-k8s.io/demo\n');
  });

  it('adds nodes and changes their roles', async () => {
    const server = node(1, ...SERVER);
    await apply([server, node(2, ...SERVER), node(4, ...SERVER), node(3, 'worker'), node(5, 'worker')]);
    // The second node was a worker before.
    await untilProvisioned('Provisioned');
    expect(await readyNodes()).toEqual(['host-1', 'host-2', 'host-3', 'host-4', 'host-5']);
  });

  it('removes and replaces nodes', async () => {
    const server = node(1, ...SERVER);
    await apply([server, node(2, ...SERVER), node(3, 'worker')]);
    await untilProvisioned('Provisioned');
    expect(await readyNodes()).toEqual(['host-1', 'host-2', 'host-3']);
    expect(await claims()).toEqual([1, 2, 3].map((one) => `${TEST_SUBNET}.${one}`));

    await apply([server, node(4, ...SERVER), node(5, 'worker')]);
    await untilProvisioned('Provisioned');
    expect(await readyNodes()).toEqual(['host-1', 'host-4', 'host-5']);
    expect(await claims()).toEqual([1, 4, 5].map((one) => `${TEST_SUBNET}.${one}`));
  });

  it('reports the field of an error, and keeps the cluster unchanged', async () => {
    const [server, worker] = [node(1, ...SERVER), node(5, 'worker')];
    const applied = (await read()).status?.appliedConfig;
    await apply([worker]);
    expect(await untilProvisioned('InvalidConfig', 'controlplane')).toContain(
      'spec.config: nodes: has no node with the role controlplane',
    );
    await apply([server, node(4, 'master'), worker]);
    expect(await untilProvisioned('InvalidConfig', 'master')).toContain('spec.config: nodes[1].role[0]: "master"');
    await apply([node(4, ...SERVER), worker]);
    expect(await untilProvisioned('ChangeRefused')).toContain(
      `nodes: must keep ${TEST_SUBNET}.1 with the role controlplane`,
    );
    await apply([server, node(4, ...SERVER), worker], { kubernetes_version: 'v1.34.4+rke2r1' });
    expect(await untilProvisioned('ChangeRefused', 'kubernetes_version')).toContain('fewer than three nodes');
    await apply([server, node(4, ...SERVER), worker, { ...node(3, 'worker'), port: 1 }]);
    expect(await untilProvisioned('CredentialsInvalid')).toContain(
      `spec.config: nodes[3].address: known_hosts in Secret default/hosts-key has no key of ${TEST_SUBNET}.3`,
    );
    await apply([server, node(4, ...SERVER), worker, { ...node(3, 'worker'), user: 'stranger' }]);
    expect(await untilProvisioned('HostUnusable')).toContain(
      `spec.config: nodes[3].address: ${TEST_SUBNET}.3: AuthenticationFailed`,
    );
    const secret = { ...node(3, 'worker'), ssh_key: 'c2VjcmV0' };
    const bad = { ...here('cluster.yaml'), spec: { config: stringify({ nodes: [secret] }) } };
    const words = await refused('apply', '-f', fileOf('bad.yaml', stringify(bad)));
    expect(words).toContain('spec.config: Forbidden: nodes[0].ssh_key: a Cluster is not a Secret');

    const { status } = await read();
    expect(status?.appliedConfig).toBe(applied);
    expect(conditionOf({ status: status as never }, 'Ready')?.status).toBe('True');
    await apply([server, node(4, ...SERVER), worker]);
    await untilProvisioned('Provisioned');
    expect(await readyNodes()).toEqual(['host-1', 'host-4', 'host-5']);
  });

  it('deletes what was created for the cluster when the cluster is deleted', async () => {
    await kubectl('delete', KIND, 'demo', `--timeout=${PATIENCE_SECONDS}s`);
    expect(await refused('get', 'kubeconfigs', 'demo')).toContain('not found');
    const namespace = await laptop.get<{ status: { phase: string } }>('/api/v1/namespaces/rke-demo');
    expect(namespace?.status.phase ?? 'Terminating').toBe('Terminating');
  });

  it('runs on a single node', async () => {
    await kubectl('apply', '-f', fileOf('single.yaml', stringify(here('single-node.yaml'))));
    await kubectl('wait', '--for=condition=Provisioned', `${KIND}/single`, `--timeout=${PATIENCE_SECONDS}s`);
    expect(await readyNodes('single')).toEqual(['host-1']);
    await kubectl('delete', KIND, 'single', `--timeout=${PATIENCE_SECONDS}s`);
  });

  it('upgrades and replaces each of its nodes behind a load balancer', async () => {
    const authentication = { sans: [BALANCER] };
    const servers = (...numbers: number[]) => numbers.map((one) => node(one, ...SERVER));
    const change = async (nodes: readonly object[], more: object = {}) => {
      await apply(nodes, { authentication, ...more });
      await untilProvisioned('Provisioned');
    };
    await laptop.until('the former namespace is gone', async () => !(await laptop.get('/api/v1/namespaces/rke-demo')));
    await change(servers(1, 2, 3));
    await change(servers(1, 2, 3), { kubernetes_version: NEXT });
    expect((await read()).metadata.annotations?.['clusterprovisioner.rke.io/kubernetes-version']).toBe(NEXT);
    await change(servers(2, 3, 4), { kubernetes_version: NEXT });
    expect(await readyNodes()).toEqual(['host-2', 'host-3', 'host-4']);
    await kubectl('delete', KIND, 'demo', `--timeout=${PATIENCE_SECONDS}s`);
  });
});
