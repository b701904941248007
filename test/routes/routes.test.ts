/** The life of the routes to the pods of nodes, from the nodes to the calls. */
import { DeleteRouteCommand, ModifyInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RED } from '../services/account.ts';
import { type RouteWorld, routedNode, startRouteWorld } from './world.ts';

let world: RouteWorld;
beforeEach(async () => {
  world = await startRouteWorld({ workers: 3 });
});
afterEach(() => world.close());

const CREATED = 'False RouteCreated: RouteController created a route';
const NOT_CREATED = 'True NoRouteCreated: RouteController failed to create a route';

describe('the routes of a cluster', () => {
  it('lead to the instances of its nodes, which accept the packets of pods', async () => {
    await world.pass();

    const { first, second } = world;
    expect(await world.routes()).toEqual([`192.168.0.0/24 ${first}`, `192.168.1.0/24 ${second}`]);
    expect(await world.checking()).not.toContain(first);
    expect(await world.checking()).not.toContain(second);
    expect(world.network()).toEqual([`a ${CREATED}`, `b ${CREATED}`]);
    expect(world.events()).toEqual([]);
    expect(await world.condition()).toMatchObject({
      status: 'True',
      reason: 'Routed',
      message: '2 nodes have routes to their pods',
    });
    expect(await world.settled()).toMatch(/^[0-9a-f]{16}$/);
  });

  it('are not changed by the next pass, which makes two reads', async () => {
    await world.pass();
    const before = world.test.calls.length;

    expect(await world.pass()).toEqual([]);

    expect(world.test.calls.slice(before).sort()).toEqual(['ec2:DescribeInstances', 'ec2:DescribeRouteTables']);
  });

  it('are in every route table that was created for the cluster, and in no other', async () => {
    const own = await world.routeTable(RED);
    const theirs = await world.routeTable({ namespace: 'victim', name: 'blue' });
    const namesake = await world.routeTable({ namespace: 'victim', name: 'red' });

    await world.pass();

    expect(await world.routes(own)).toEqual(await world.routes());
    expect(await world.routes(theirs)).toEqual([]);
    expect(await world.routes(namesake)).toEqual([]);
  });

  it('are created and deleted with the nodes', async () => {
    await world.pass();
    const third = world.ids.nodes[2] ?? '';
    world.state.nodes = [...world.state.nodes.slice(1), routedNode('c', third, '192.168.2.0/24')];

    expect(await world.pass()).toEqual(['DeleteRoute', 'ModifyInstanceAttribute', 'CreateRoute']);

    expect(await world.routes()).toEqual([`192.168.1.0/24 ${world.second}`, `192.168.2.0/24 ${third}`]);
  });

  it('are deleted after their instances were terminated', async () => {
    await world.pass();
    await world.terminate(world.first);
    expect(await world.routes()).toContain(`192.168.0.0/24 ${world.first} blackhole`);
    world.state.nodes = world.state.nodes.slice(1);

    expect(await world.pass()).toEqual(['DeleteRoute']);

    expect(await world.routes()).toEqual([`192.168.1.0/24 ${world.second}`]);
  });

  it('are replaced if the block of a node was given to another node', async () => {
    await world.pass();
    const third = world.ids.nodes[2] ?? '';
    await world.terminate(world.first);
    world.state.nodes = [...world.state.nodes.slice(1), routedNode('c', third, '192.168.0.0/24')];

    expect(await world.pass()).toEqual(['ModifyInstanceAttribute', 'ReplaceRoute']);

    expect(await world.routes()).toEqual([`192.168.0.0/24 ${third}`, `192.168.1.0/24 ${world.second}`]);
  });

  it('are repaired after outside changes', async () => {
    await world.pass();
    await world.ec2.send(
      new DeleteRouteCommand({ RouteTableId: world.ids.table, DestinationCidrBlock: '192.168.0.0/24' }),
    );
    await world.ec2.send(
      new ModifyInstanceAttributeCommand({ InstanceId: world.second, SourceDestCheck: { Value: true } }),
    );

    expect((await world.pass()).sort()).toEqual(['CreateRoute', 'ModifyInstanceAttribute']);
  });

  it('are not created before a node has its block, and the node gets no condition before that', async () => {
    world.state.nodes = [routedNode('new', world.first)];

    expect(await world.pass()).toEqual([]);

    expect(world.network()).toEqual(['new unknown']);
  });

  it('are created only as far as one pass has time, and the condition reports how many wait', async () => {
    const many = await startRouteWorld({ workers: 120 });
    try {
      many.state.nodes = many.ids.nodes.map((id, index) => routedNode(`n${index}`, id, `192.168.${index}.0/24`));

      expect(await many.pass()).toHaveLength(200);
      expect((await many.condition())?.message).toContain('20 routes wait for a later pass');
      expect(await many.settled()).toBeUndefined();
      expect(await many.pass()).toHaveLength(40);

      expect(await many.routes()).toHaveLength(120);
      expect(await many.condition()).toMatchObject({ status: 'True', message: '120 nodes have routes to their pods' });
    } finally {
      await many.close();
    }
  });
});

describe('a cluster', () => {
  it('is left to its own cloud controller manager', async () => {
    world.state.cloudController = 'DaemonSet kube-system/cloud-controller-manager';

    expect(await world.pass()).toEqual([]);

    expect(world.network()).toEqual(['a unknown', 'b unknown']);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'OtherController' });
  });

  it('keeps its routes when the annotation is removed', async () => {
    await world.pass();
    await world.annotate({});
    world.state.nodes = [];

    expect(await world.pass()).toEqual([]);

    expect(await world.routes()).toHaveLength(2);
    expect(await world.condition()).toMatchObject({ status: 'False', reason: 'NotRequested' });
    expect(await world.settled()).toBeUndefined();
  });

  it('without a pod network gets a condition that names the missing field', async () => {
    await world.setPodBlocks();

    expect(await world.pass()).toEqual([]);

    expect(await world.condition()).toMatchObject({
      reason: 'NoPodNetwork',
      message: expect.stringContaining('spec.clusterNetwork.pods.cidrBlocks'),
    });
  });
});

describe('a node whose block is of both families', () => {
  it('gets its IPv4 route, and an event that the IPv6 route is not created', async () => {
    world.state.nodes = [routedNode('dual', world.first, '192.168.0.0/24', 'fd00::/64')];

    await world.pass();

    expect(await world.routes()).toEqual([`192.168.0.0/24 ${world.first}`]);
    expect(world.network()).toEqual([`dual ${NOT_CREATED}`]);
    expect(world.events()).toEqual([
      'FailedToCreateRoute: Could not create route fd00::/64 for node dual: spec.podCIDRs: IPv6 blocks are not routed',
    ]);
  });
});
