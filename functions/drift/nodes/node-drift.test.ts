import { afterAll, beforeAll, expect, it } from 'vitest';
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Clock } from '../../../shared/clock.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  kinds,
  type Machine,
  type Secret,
} from '../../../shared/kinds/index.ts';
import { jsonLog, silentLog } from '../../../shared/log.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import {
  type Answer,
  connectOnLaptop,
  makeClusterPems,
  startTenantServer,
  type TenantServer,
} from '../../../shared/workload/test-server.ts';
import type { PlacedMachine } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SeenPart } from '../fleet/observe.ts';
import { startRun } from '../run.ts';
import { createTestFleet } from '../test-fleet.ts';
import { nodeDrift } from './node-drift.ts';

/** One region with the clusters of a hostile tenant, and another tenant's cluster in which a node was deleted. */

/** The clusters are queried in the order of the list, which rotates by the minute. */
const clock: Clock = { now: () => new Date('2026-01-01T00:05:00Z'), sleep: async () => {} };
const CANARY = 'canary-90ab';
const NAMESPACE = 'default';
const servers: TenantServer[] = [];
let pems: Awaited<ReturnType<typeof makeClusterPems>>;
beforeAll(async () => {
  pems = await makeClusterPems();
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const noNodes: Answer = (_, response) => void response.writeHead(200).end('{"kind":"NodeList","items":[]}');

/** By the name of the cluster: the answer of its server, and the tenant's edit of the kubeconfig. */
const TENANTS: Record<string, { answer?: Answer; edit?: (kubeconfig: string) => string }> = {
  'no-yaml': { edit: () => `clusters: [{${CANARY}` },
  'no-object': { edit: () => CANARY },
  command: { edit: (text) => text.replace(/ {4}user:\n/, `    user:\n      exec: { command: ${CANARY} }\n`) },
  'other-server': { edit: (text) => text.replace(/127\.0\.0\.1:\d+/, `${CANARY}.example:6443`) },
  'unauthorized-401': { answer: (_, response) => void response.writeHead(401).end(CANARY) },
  'forbidden-403': { answer: (_, response) => void response.writeHead(403).end(`{"message":"${CANARY}"}`) },
  silent: { answer: () => {} },
  huge: {
    answer: (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, CANARY)));
      };
      response.on('drain', more);
      more();
    },
  },
  'not-a-list': { answer: (_, response) => void response.writeHead(200).end(CANARY) },
  'strange-node': {
    answer: (_, response) => void response.writeHead(200).end(`{"items":[{"metadata":{"name":{"${CANARY}":1}}}]}`),
  },
  healthy: {},
};

const uidsOf = ({ clusters }: Pick<SeenPart, 'clusters'>): ReadonlySet<string> =>
  new Set(clusters.map(({ cluster }) => cluster.metadata.uid ?? ''));

const controlPlaneOf = (name: string) => ({
  ...{ apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name },
});

const startFleet = async () => {
  const test = await createTestFleet();
  const { objects } = test;
  const clusters: PlacedCluster[] = [];
  const machines: PlacedMachine[] = [];
  for (const [name, { answer = noNodes, edit = (text: string) => text }] of Object.entries(TENANTS)) {
    const server = await startTenantServer(pems, answer);
    servers.push(server);
    await test.addCluster(name, 'here');
    await test.addMachines(name, 'here', 1);
    const key = { namespace: NAMESPACE, name };
    await objects.ensure(kinds.secret, toKubeconfigSecret(name, NAMESPACE, edit(server.kubeconfig)) as Secret);
    const cluster = (await objects.mutate(kinds.cluster, key, (current) => ({
      ...current,
      spec: {
        ...current.spec,
        ...{ controlPlaneEndpoint: { host: '127.0.0.1', port: server.port }, controlPlaneRef: controlPlaneOf(name) },
      },
    }))) as Cluster;
    const awsCluster = await objects.get(kinds.awsCluster, key);
    const [found] = await objects.listOfCluster(kinds.machine, NAMESPACE, name);
    const at = { namespace: NAMESPACE, name: found?.metadata.name ?? '' };
    const machine = (await objects.mutate(kinds.machine, at, (current) => ({
      ...current,
      status: { ...current.status, nodeRef: { name: 'node-1' } },
    }))) as Machine;
    const infrastructure = await objects.get(kinds.awsMachine, at);
    if (!awsCluster || !infrastructure) throw new Error(`the fleet lacks objects of ${name}`);
    clusters.push({ cluster, infrastructure: awsCluster });
    machines.push({ machine, infrastructure, cluster, infrastructureCluster: awsCluster });
  }
  return { objects, fleet: { provider: aws, clusters, machines } };
};

it('finds the drift of a cluster in spite of others with a hostile kubeconfig or API server', async () => {
  const { objects, fleet } = await startFleet();
  const lines: string[] = [];
  const log = jsonLog((line) => lines.push(line));
  const pledges = createMemoryPledges({ clock });
  const deps = { objects, clock, log, pledges, connect: async () => connectOnLaptop };
  const run = startRun(deps);
  const found = await nodeDrift(deps as Partial<DriftDependencies> as DriftDependencies, fleet, uidsOf(fleet), run);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['healthy']);

  const failed = lines.map((line) => JSON.parse(line).name as string);
  expect(failed.sort()).toEqual(
    Object.keys(TENANTS)
      .filter((name) => name !== 'healthy')
      .sort(),
  );
  expect(lines.every((line) => JSON.parse(line).level === 'INFO')).toBe(true);
  expect(lines.join('\n')).not.toContain(CANARY);
  const events = JSON.stringify(await objects.list(kinds.event, NAMESPACE));
  expect(events).toContain('Node node-1 was deleted');
  expect(events).not.toContain(CANARY);
});

it('isolates a cluster that makes the sweep throw', async () => {
  const { objects, fleet } = await startFleet();
  const lines: string[] = [];
  const connect: DriftDependencies['connect'] = async () => (target) => {
    if (target.kubeconfig === CANARY) JSON.parse(CANARY);
    return connectOnLaptop(target);
  };
  const pledges = createMemoryPledges({ clock });
  const deps = { objects, clock, log: jsonLog((line) => lines.push(line)), pledges, connect };
  const found = await nodeDrift(deps as never, fleet, uidsOf(fleet), startRun(deps));
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['healthy']);
  const [error] = lines.filter((line) => line.includes('"ERROR"'));
  expect(JSON.parse(error ?? '{}')).toMatchObject({
    name: 'no-object',
    reason: expect.stringContaining('SyntaxError') as unknown,
  });
  expect(lines.join('\n')).not.toContain(CANARY);
});

/** A cluster with one machine; `change` completes the Cluster. */
const startCluster = async (change: (cluster: Cluster) => Cluster) => {
  const test = await createTestFleet();
  const { objects } = test;
  await test.addCluster('lost', 'here');
  await test.addMachines('lost', 'here', 1);
  const key = { namespace: NAMESPACE, name: 'lost' };
  await objects.ensure(kinds.secret, toKubeconfigSecret('lost', NAMESPACE, 'a kubeconfig') as Secret);
  const cluster = (await objects.mutate(kinds.cluster, key, change)) as Cluster;
  const awsCluster = (await objects.get(kinds.awsCluster, key)) as AWSCluster;
  const [found] = await objects.listOfCluster(kinds.machine, NAMESPACE, 'lost');
  const machine = { ...found, status: { nodeRef: { name: 'node-1' } } } as Machine;
  const at = { ...key, name: found?.metadata.name ?? '' };
  const infrastructure = (await objects.get(kinds.awsMachine, at)) as AWSMachine;
  const fleet = {
    provider: aws,
    clusters: [{ cluster, infrastructure: awsCluster }],
    machines: [{ cluster, machine, infrastructure, infrastructureCluster: awsCluster }],
  };
  return { objects, fleet, machine };
};

/** The names of the clusters that get a pass if the API server answers with `nodes`. */
const touchedBy = async (
  { objects, fleet }: Awaited<ReturnType<typeof startCluster>>,
  nodes: () => Promise<unknown[]>,
  controlPlanePods = async (): Promise<unknown[]> => [],
): Promise<string[]> => {
  const connect = async () => () => ({ nodes, controlPlanePods, close: async () => {} });
  const pledges = createMemoryPledges({ clock });
  const deps = { objects, clock, log: silentLog, pledges, connect };
  const clusters = await nodeDrift(deps as never, fleet, uidsOf(fleet), startRun(deps));
  return clusters.map(({ metadata }) => metadata.name);
};

it.each([
  { status: 'True', touched: ['lost'] },
  { status: 'False', touched: [] },
] as const)('requests a pass over an unresponsive cluster while its probe is $status', async (given) => {
  const { status, touched } = given;
  const condition = { type: 'RemoteConnectionProbe', status, reason: 'R', message: '' };
  const world = await startCluster((current) => ({
    ...current,
    status: { ...current.status, conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  }));
  const nodes = () => Promise.reject(new WorkloadUnreachableError('connect ECONNREFUSED'));
  expect(await touchedBy(world, nodes)).toEqual(touched);
});

it.each([
  { what: 'a control plane', spec: { controlPlaneRef: controlPlaneOf('lost') } },
  { what: 'Machines that no control plane object manages', spec: {} },
])('requests a pass over a cluster that answers again if it has $what', async ({ spec }) => {
  const world = await startCluster((current) => ({
    ...current,
    spec: { ...current.spec, ...spec },
  }));
  const { providerID } = world.machine.spec;
  const status = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
  const nodes = async () => [{ metadata: { name: 'node-1' }, spec: { providerID }, status }];
  expect(await touchedBy(world, nodes)).toEqual(['lost']);
});

it.each([
  { what: 'a control plane object manages', spec: { controlPlaneRef: controlPlaneOf('lost') }, isRead: true },
  // A pass never evaluates them, so each sweep would find the same difference again.
  { what: 'no control plane object manages', spec: {}, isRead: false },
])('reads the pods of control plane Machines that $what: $isRead', async ({ spec, isRead }) => {
  const world = await startCluster((current) => ({ ...current, spec: { ...current.spec, ...spec } }));
  const machines = world.fleet.machines.map(({ machine, ...placed }) => {
    const labels = { ...machine.metadata.labels, 'cluster.x-k8s.io/control-plane': '' };
    return { ...placed, machine: { ...machine, metadata: { ...machine.metadata, labels } } };
  });
  let asked = false;
  const controlPlanePods = async () => {
    asked = true;
    return [];
  };
  await touchedBy({ ...world, fleet: { ...world.fleet, machines } }, async () => [], controlPlanePods);
  expect(asked).toBe(isRead);
});

it.each([
  ['five are queried concurrently, and the time runs out before any of them has answered', 0, 5],
  ['the sweep has used too much of its time before', 4, 0],
])('leaves servers that it has no time for to a later sweep: %s', async (_, minutesBefore, queried) => {
  const world = await startCluster((current) => current);
  const { fleet, objects } = world;
  const [one] = fleet.clusters;
  const [machine] = fleet.machines;
  if (!one || !machine) throw new Error('the fleet is empty');
  const names = Array.from({ length: 12 }, (_, index) => `slow-${index}`);
  const clusters = names.map((uid) => ({
    ...one,
    cluster: { ...one.cluster, metadata: { ...one.cluster.metadata, uid } },
  }));
  const machines = clusters.map(({ cluster }) => ({ ...machine, cluster }));
  let minutes = minutesBefore;
  let asked = 0;
  const nodes = () => {
    asked += 1;
    minutes += 1;
    return Promise.reject(new WorkloadUnreachableError('no answer'));
  };
  const connect = async () => () => ({ nodes, close: async () => {} });
  const passing = { ...clock, now: () => new Date(clock.now().getTime() + minutes * 60_000) };
  const lines: string[] = [];
  const deps = { objects, clock: passing, log: jsonLog((line) => lines.push(line)), connect, began: clock.now() };

  await nodeDrift(deps as never, { ...fleet, clusters, machines }, new Set(names), startRun(deps as never));

  expect(asked).toBe(queried);
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: 'WARN', clusters: 12 - queried }),
  );
});
