/** Nodes with requests that are not permitted, routes of others, faults of AWS, and concurrent passes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RouteWorld, routedNode, startRouteWorld } from './world.ts';

let world: RouteWorld;
beforeEach(async () => {
  world = await startRouteWorld();
});
afterEach(() => world.close());

/** The digest of a result that only a change in the account can improve, which nothing reports. */
const HOURLY = /^[0-9a-f]{16}-hourly$/;

const UNROUTED = 'True NoRouteCreated: RouteController failed to create a route';

describe('a node that requests a route that it may not have', () => {
  it.each([
    ['a block outside the pod network', ['10.1.0.0/24'], 'is not inside spec.clusterNetwork.pods.cidrBlocks'],
    ['everything', ['0.0.0.0/0'], 'is not inside spec.clusterNetwork.pods.cidrBlocks'],
    ['more than the pod network', ['192.0.0.0/8'], 'is not inside spec.clusterNetwork.pods.cidrBlocks'],
    ['what is no block', ['192.168.9.0'], 'is not a CIDR block'],
    ['the block of an older node', ['192.168.1.0/25'], 'overlaps one of node b, which is older'],
  ])('gets no route but an event that says why, and does not affect other nodes: %s', async (_, blocks, reason) => {
    const bad = routedNode('z', world.first, ...blocks);
    world.state.nodes = [bad, routedNode('b', world.second, '192.168.1.0/24')];

    await world.pass();

    expect(await world.routes()).toEqual([`192.168.1.0/24 ${world.second}`]);
    expect(world.network()).toContain(`z ${UNROUTED}`);
    expect(world.events()).toEqual([expect.stringContaining(reason)]);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'RoutesFailed' });
    // Another check does not help before the node is changed.
    expect(await world.settled()).toMatch(/^[0-9a-f]{16}$/);
  });

  it('gets no route into the VPC, even if the pod network of its Cluster includes the VPC', async () => {
    await world.setPodBlocks('10.0.0.0/8');
    world.state.nodes = [routedNode('a', world.first, '10.0.2.0/24'), routedNode('b', world.second, '10.9.0.0/24')];

    await world.pass();

    expect(await world.routes()).toEqual([`10.9.0.0/24 ${world.second}`]);
    expect(world.events()).toEqual([expect.stringContaining("overlaps 10.0.0.0/16, which is the VPC's own")]);
  });

  it('gets no route to the instance of another cluster, whose source check is not disabled', async () => {
    world.state.nodes = [routedNode('a', world.ids.theirs, '192.168.0.0/24')];

    expect(await world.pass()).toEqual([]);

    expect(await world.checking()).toContain(world.ids.theirs);
    expect(world.events()).toEqual([expect.stringContaining('does not name a running instance of the cluster')]);
  });

  it('gets no route if it is the second node of an instance, so that nodes cannot fill the route table', async () => {
    world.state.nodes = Array.from({ length: 30 }, (_, index) =>
      routedNode(`n${String(index).padStart(2, '0')}`, world.first, `192.168.${index}.0/24`),
    );

    await world.pass();

    expect(await world.routes()).toEqual([`192.168.0.0/24 ${world.first}`]);
    const { message = '' } = (await world.condition()) ?? {};
    expect(message).toContain('spec.providerID: node n00, which is older, has the same one');
    expect(message).toContain('and 24 more');
  });
});

describe('routes of others', () => {
  it('are neither replaced nor removed: to a gateway, or to an instance that is not the cluster’s', async () => {
    await world.addRoute('192.168.0.0/24', { InstanceId: world.ids.theirs });
    await world.addRoute('192.168.77.0/24', { InstanceId: world.ids.theirs });
    await world.addRoute('192.168.1.0/24', { GatewayId: world.ids.gateway });
    const before = await world.routes();

    expect(await world.pass()).toEqual([]);

    expect(await world.routes()).toEqual(before);
    expect(world.events()).toEqual([
      expect.stringContaining(`already has a route for 192.168.0.0/24, to ${world.ids.theirs}; it is left alone`),
      expect.stringContaining(`already has a route for 192.168.1.0/24, to ${world.ids.gateway}; it is left alone`),
    ]);
    expect(await world.settled()).toMatch(HOURLY);
  });

  it('stay if they are outside the pod network, even to the cluster’s own instances', async () => {
    await world.addRoute('172.16.0.0/24', { InstanceId: world.first });

    await world.pass();

    expect(await world.routes()).toContain(`172.16.0.0/24 ${world.first}`);
  });
});

describe('a VPC without a route table of the cluster', () => {
  const OWNER = 'windlass.dev/cluster';

  it.each([
    ['another cluster of the name', () => world.tag(world.ids.table, { [OWNER]: 'someone/red' })],
    ['a cluster of the name, which could be another one', () => world.untag(world.ids.table, OWNER)],
  ])('is not changed, and the condition says what to do: its table names %s', async (_, prepare) => {
    await prepare();

    expect(await world.pass()).toEqual([]);

    expect(world.network()).toEqual(['a unknown', 'b unknown']);
    expect(await world.condition()).toMatchObject({
      reason: 'NoRouteTable',
      message: expect.stringContaining(`VPC ${world.ids.vpc} has no route table that Windlass has made`),
    });
    expect(await world.settled()).toMatch(HOURLY);
  });
});

describe('a pass', () => {
  it.each(
    ['CreateRoute', 'ModifyInstanceAttribute'].flatMap((operation) =>
      (['before', 'after'] as const).map((when) => [operation, when] as const),
    ),
  )('reports a %s that fails %s it was carried out, and the next pass recovers', async (operation, when) => {
    world.state.nodes = world.state.nodes.slice(0, 1);
    world.test.account.failNext('ec2', operation, { code: 'InternalError', status: 500, when });

    await world.pass();
    expect(world.network()).toEqual([`a ${UNROUTED}`]);
    expect(world.events()).toEqual([expect.stringContaining('InternalError')]);
    expect(await world.settled()).toBeUndefined();
    await world.pass();

    expect(await world.routes()).toEqual([`192.168.0.0/24 ${world.first}`]);
    expect(world.network()).toEqual(['a False RouteCreated: RouteController created a route']);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('reports the AWS error if a route table is full, and creates the route when there is room', async () => {
    const { quotas } = world.test.account.ec2('us-east-1').settings;
    const limit = quotas.routesPerTable;
    quotas.routesPerTable = 3;
    await world.pass();
    expect(await world.routes()).toHaveLength(1);
    expect(world.events()).toEqual([
      expect.stringContaining('RouteLimitExceeded: The maximum number of routes has been reached.'),
    ]);
    expect(await world.settled()).toBeUndefined();

    quotas.routesPerTable = limit;
    await world.pass();

    expect(await world.routes()).toHaveLength(2);
  });

  it('reports a route that cannot be deleted, and the next pass deletes it', async () => {
    await world.pass();
    world.state.nodes = world.state.nodes.slice(1);
    world.test.account.failNext('ec2', 'DeleteRoute', { code: 'InternalError', status: 500 });

    await world.pass();
    expect(await world.condition()).toMatchObject({
      status: 'False',
      message: expect.stringContaining(`the route for 192.168.0.0/24 in route table ${world.ids.table} remains`),
    });
    await world.pass();

    expect(await world.routes()).toEqual([`192.168.1.0/24 ${world.second}`]);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });

  it('does not change nodes if EC2 fails', async () => {
    world.test.account.failNext('ec2', 'DescribeRouteTables', { code: 'InternalError', status: 500 });

    await world.pass();

    expect(world.network()).toEqual(['a unknown', 'b unknown']);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'CloudFailed' });
    expect(await world.settled()).toBeUndefined();
  });

  it('creates every route once even if another pass runs at the same time', async () => {
    await Promise.all([world.pass(), world.pass()]);
    expect(world.events()).toEqual([]);
    await world.pass();

    expect(await world.routes()).toHaveLength(2);
    expect(await world.condition()).toMatchObject({ status: 'True' });
  });
});
