/**
 * Compares the routes of the same nodes: AWS's cloud controller manager maintains them in one account, and Windlass in
 * another.
 */
import { CreateRouteCommand, ModifyInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import type { V1Node, V1NodeList } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { workloadClient } from '../../../shared/workload/connect.ts';
import { checkingInstances, networkOf, routesIn, startRouteWorld, terminate } from '../../routes/world.ts';
import { startServiceAccount } from '../../services/account.ts';
import { FORMER, LEAVING, nodesOn, OUTSIDE, POD_BLOCK, TAKEN, WORKERS } from './nodes.ts';
import { routesDuty, startUpstream, type Upstream } from './upstream.ts';

type Account = Awaited<ReturnType<typeof startServiceAccount>>;

/** One more instance than there are nodes; it is terminated before the programs start. */
const INSTANCES = { workers: WORKERS + 1 };

let upstream: Upstream;
let theirs: Account;
let ours: Awaited<ReturnType<typeof startRouteWorld>>;
beforeAll(async () => {
  [upstream, theirs, ours] = await Promise.all([
    startUpstream(),
    startServiceAccount(INSTANCES),
    startRouteWorld(INSTANCES),
  ]);
}, LIMIT);
afterAll(async () => {
  await upstream?.stop();
  await theirs?.close();
  await ours?.close();
});

const workersOf = ({ ids }: Pick<Account, 'ids'>): string[] => ids.nodes.slice(0, WORKERS);

/**
 * Creates routes that exist before the programs start: two to a terminated instance, one to a gateway, and two to
 * instances of nodes.
 */
const prepare = async (account: Pick<Account, 'ec2' | 'ids' | 'test'>): Promise<void> => {
  const { ec2, ids } = account;
  const dead = ids.nodes[WORKERS] ?? '';
  const add = (DestinationCidrBlock: string, target: { InstanceId?: string; GatewayId?: string }) =>
    ec2.send(new CreateRouteCommand({ RouteTableId: ids.table, DestinationCidrBlock, ...target }));
  await add(FORMER.stale, { InstanceId: dead });
  await add(FORMER.reused, { InstanceId: dead });
  await add(TAKEN, { GatewayId: ids.gateway });
  await add(OUTSIDE, { InstanceId: ids.nodes[10] ?? '' });
  const InstanceId = ids.nodes[7] ?? '';
  await add('192.168.7.0/24', { InstanceId });
  await ec2.send(new ModifyInstanceAttributeCommand({ InstanceId, SourceDestCheck: { Value: false } }));
  await terminate(account, [dead]);
};

/**
 * The instance of the node whose block is taken. It is not compared: the cloud controller manager disables its
 * source/destination check before it detects the conflict.
 */
const unroutedIn = ({ ids }: Pick<Account, 'ids'>): string => ids.nodes[2] ?? '';

const comparable = async (account: Account | typeof ours, nodes: readonly V1Node[]) => ({
  routes: await routesIn(account, account.ids.table),
  checking: (await checkingInstances(account)).filter((id) => id !== unroutedIn(account)),
  network: networkOf(nodes),
});

const theirNodes = async (): Promise<V1Node[]> => (await upstream.api.send<V1NodeList>('GET', '/api/v1/nodes')).items;

/**
 * Waits until `isOver` is true and nothing has changed for longer than the cloud controller manager's reconciliation
 * period.
 */
const untilQuiet = async (isOver: (state: string) => boolean): Promise<void> => {
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  let before = '';
  for (let quiet = 0; quiet < 6; ) {
    if (systemClock.now().getTime() > deadline) throw new Error(`no rest:\n${before}\n${upstream.lastWords()}`);
    await systemClock.sleep(1000);
    const now = JSON.stringify(await comparable(theirs, await theirNodes()));
    quiet = now === before && isOver(now) ? quiet + 1 : 0;
    before = now;
  }
};

// The tests run in order: each continues where the previous one ended.
it('the result equals the cloud controller manager’s, for the same nodes', { timeout: LIMIT }, async () => {
  await prepare(theirs);
  await prepare(ours);
  for (const node of nodesOn(workersOf(theirs))) {
    await upstream.api.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', ...node });
  }
  const { vpc: vpcId, privateA: subnetId } = theirs.ids;
  const { endpoint, credentials } = theirs.test.client;
  await upstream.startController({ endpoint, credentials, vpcId, subnetId, duty: routesDuty(POD_BLOCK) });
  await untilQuiet((state) => state.includes('plain-8 False RouteCreated') && !state.includes('blackhole'));

  ours.state.nodes = nodesOn(workersOf(ours));
  await ours.pass();

  expect(ours.ids).toEqual(theirs.ids);
  const left = await comparable(ours, ours.state.nodes);
  expect(left).toEqual(await comparable(theirs, await theirNodes()));
  expect(await checkingInstances(theirs)).not.toContain(unroutedIn(theirs));
  expect(await checkingInstances(ours)).toContain(unroutedIn(ours));
  // Ensures that the comparison is not trivial: all but four nodes are routed.
  expect(left.network.filter((line) => line.includes('False RouteCreated'))).toHaveLength(WORKERS - 4);
  expect(left.routes).toHaveLength(WORKERS - 3 + 1);
});

it(
  'the result equals the cloud controller manager’s when nodes and their instances are gone',
  async () => {
    const gone = nodesOn(workersOf(theirs)).filter(({ metadata }) => LEAVING.includes(metadata?.name ?? ''));
    const ids = gone.map(({ spec }) => spec?.providerID?.split('/').at(-1) ?? '');
    for (const name of LEAVING) await upstream.api.send('DELETE', `/api/v1/nodes/${name}`);
    await terminate(theirs, ids);
    await terminate(ours, ids);
    await untilQuiet((state) => !state.includes('blackhole') && !ids.some((id) => state.includes(` ${id}`)));

    ours.state.nodes = ours.state.nodes.filter(({ metadata }) => !LEAVING.includes(metadata?.name ?? ''));
    await ours.pass();

    expect(await comparable(ours, ours.state.nodes)).toEqual(await comparable(theirs, await theirNodes()));
  },
  LIMIT,
);

it(
  'blocks are read from a real API server, and conditions are written there next to those of others',
  async () => {
    const name = 'has-no-block-yet';
    const client = workloadClient({
      send: async ({ method, path, body }) => {
        const answer = await upstream.api.send(method, path, body?.value, body?.type);
        return { code: 200, text: JSON.stringify(answer) };
      },
      run: async () => {
        throw new Error('no command is run');
      },
      close: async () => {},
    });
    const conditionsOf = async () =>
      (await client.nodes()).find(({ metadata }) => metadata?.name === name)?.status?.conditions ?? [];
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' } as const;
    const cutOff = { type: 'NetworkUnavailable', status: 'True', reason: 'NoRouteCreated', message: 'no' } as const;

    await client.setNodeCondition(name, ready, new Date(0));
    await client.setNodeCondition(name, cutOff, new Date(0));
    await client.setNodeCondition(name, { ...cutOff, status: 'False', reason: 'RouteCreated' }, new Date(60_000));

    expect(await conditionsOf()).toMatchObject([
      { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated', lastTransitionTime: new Date(60_000) },
      { type: 'Ready', status: 'True', reason: 'KubeletReady' },
    ]);
    const routed = (await client.nodes()).find(({ metadata }) => metadata?.name === 'plain-10');
    expect(routed?.spec?.podCIDRs).toEqual(['192.168.10.0/24']);
  },
  LIMIT,
);
