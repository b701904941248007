/**
 * A cluster on hosts with the deployed workflows and the provider's own steps; only SSH and the computers are
 * simulated.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostsDependencies } from '../../functions/providers/hosts/dependencies.ts';
import { makeHostsSteps } from '../../functions/providers/hosts/steps.ts';
import { type FakeHost, hostObject, newHost, runOn } from '../../functions/providers/hosts/test-hosts.ts';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { hosts } from '../../shared/providers/hosts/infrastructure.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../shared/test-patience.ts';
import { joinEtcd, newWorkload, startCluster } from '../simulation/cluster/workload.ts';
import { conditionStatus } from './conditions.ts';
import { clusterObjects } from './objects.ts';
import { newRack } from './steps.ts';
import { makeWorld, type World } from './world.ts';

const GROUP = 'infrastructure.windlass.dev';
const VERSION = 'v1.34.0';
const NAMES = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const computers = new Map<string, FakeHost>(NAMES.map((name) => [name, { ...newHost(), hostname: name }]));
const outside = { rack: newRack(), workload: newWorkload() };
let database: TestDatabase;
let world: World;

/** A booting host becomes a node, without its own provider id, once there is a cluster to join. */
const bootHosts = (at: Date): void => {
  const { workload } = outside;
  for (const [name, computer] of computers) {
    if (computer.state !== 'running') continue;
    const script = computer.payload
      .split('\n')
      .map((line) => atob(line.split(' ').at(-1) ?? ''))
      .join('\n');
    const address = `10.0.0.${NAMES.indexOf(name) + 1}`;
    const isInit = script.includes('kubeadm init ');
    if (!isInit && !workload.etcd) continue;
    const controlPlane = isInit || script.includes('controlPlane:');
    if (isInit) startCluster(workload, name, { owner: name, address }, VERSION);
    else if (controlPlane) joinEtcd(workload, name, { owner: name, address });
    workload.nodes.set(name, {
      ...{ name, controlPlane, version: VERSION, alive: true, components: VERSION, since: at },
      providerID: '',
    });
    computer.state = '0';
  }
};

const answer = runOn(computers);
const run: HostsDependencies['run'] = async (host, command, input) => {
  bootHosts(world.clock.now());
  const said = await answer(host, command, input);
  if (command.includes(" windlass reset '")) outside.workload.nodes.delete(host.address);
  return said;
};

/** The cluster of the second provider, on hosts. */
const onHosts = (object: KubeObject): KubeObject =>
  JSON.parse(
    JSON.stringify(object)
      .replaceAll('infrastructure.example.com/v1beta2', `${GROUP}/v1alpha1`)
      .replaceAll('infrastructure.example.com', GROUP)
      .replaceAll('PlainMachineTemplate', 'HostMachineTemplate')
      .replaceAll('PlainCluster', 'HostCluster')
      .replace('"spec":{"size":"s"}', '"spec":{"selector":{"matchLabels":{"rack":"one"}}}'),
  ) as KubeObject;

const withEndpoint = (object: KubeObject): KubeObject =>
  object.kind === 'HostCluster'
    ? ({ ...object, spec: { controlPlaneEndpoint: { host: 'rack.example.com', port: 6443 } } } as KubeObject)
    : object;

const machines = (): Promise<Machine[]> => world.objects.listOfCluster(kinds.machine, 'default', 'red');
const claims = async () =>
  (await world.objects.list(kinds.host, 'default')).flatMap(({ metadata, status }) =>
    status?.claim ? [metadata.name] : [],
  );

const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + (PATIENCE_SECONDS / 4) * 1000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`);
    world.clock.advance(10);
    await world.touch();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const isSettled = (count: number) => async (): Promise<boolean> => {
  const all = await machines();
  const isThere = ({ status }: Machine) => status?.phase === 'Running';
  return all.length === count && all.every(isThere) && conditionStatus(await world.cluster(), 'Available') === 'True';
};

beforeAll(async () => {
  database = await startTestDatabase();
  const steps = (common: Omit<HostsDependencies, 'run'>) => makeHostsSteps({ ...common, run }) as never;
  world = await makeWorld(database, outside, { name: hosts.name, steps });
  const key = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'default' },
    data: { 'ssh-privatekey': btoa('x') },
  };
  await world.apply(key as KubeObject);
  for (const name of NAMES) {
    const object = hostObject(name);
    object.metadata.labels = { rack: name === 'h1' ? 'two' : 'one' };
    await world.apply(object);
  }
}, LIMIT);
afterAll(async () => {
  await world?.stop();
  await database?.stop();
});

describe('a cluster on hosts', { timeout: LIMIT }, () => {
  it('comes up on hosts that its templates select', async () => {
    for (const object of clusterObjects()) await world.apply(withEndpoint(onHosts(object)));
    await until('3 + 2 machines', isSettled(5));
    expect(await claims()).toEqual(['h2', 'h3', 'h4', 'h5', 'h6']);
    expect([...computers.values()].map(({ started }) => started)).toEqual([0, 1, 1, 1, 1, 1]);
    const ids = (await machines()).map(({ spec }) => spec.providerID).sort();
    expect([...outside.workload.nodes.values()].map(({ providerID }) => providerID).sort()).toEqual(ids);
    expect(ids.every((id) => id?.startsWith('host://default/h'))).toBe(true);
  });

  it('reports if no host is left', async () => {
    const scale = (replicas: number) =>
      world.objects.mutate(kinds.machineDeployment, { namespace: 'default', name: 'workers' }, (current) => ({
        ...current,
        spec: { ...current.spec, replicas },
      }));
    await scale(3);
    const why =
      'none of the 6 Hosts in namespace default can be claimed: 1 do not match spec.selector, 5 are claimed by other machines';
    const says = async () => JSON.stringify(await machines()).includes(why);
    await until('a machine without a host', says);
    await scale(2);
    await until('its end', isSettled(5));
    expect(await claims()).toHaveLength(5);
  });

  it('frees its hosts when it is deleted', async () => {
    await world.objects.delete(kinds.cluster, { namespace: 'default', name: 'red' });
    await until('the end', async () => (await world.cluster()) === undefined);
    expect(await claims()).toEqual([]);
    expect([...computers.values()].map(({ owner }) => owner)).toEqual(['', '', '', '', '', '']);
    expect(await world.objects.list(kinds.hostMachine, 'default')).toEqual([]);
    expect((await world.objects.list(kinds.host, 'default')).map(({ metadata }) => metadata.name)).toEqual(NAMES);
  });
});
