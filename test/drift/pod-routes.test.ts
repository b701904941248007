/** Routes to pods in the route tables of a cluster, which neither the sweep nor the network step may treat as drift. */
import { CreateRouteCommand, DescribeRouteTablesCommand, ModifyInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';

let world: DriftWorld;
beforeAll(async () => {
  world = await startDriftWorld();
});
afterAll(() => world.close());

const routesToPods = async (): Promise<number> => {
  const { RouteTables = [] } = await world.client.send(new DescribeRouteTablesCommand({}));
  return RouteTables.flatMap(({ Routes = [] }) => Routes).filter(({ InstanceId }) => InstanceId).length;
};

it('routes to pods are left alone by the sweep and by passes', async () => {
  const InstanceId = world.worker;
  const { RouteTables = [] } = await world.client.send(new DescribeRouteTablesCommand({}));
  for (const { RouteTableId } of RouteTables)
    await world.client.send(
      new CreateRouteCommand({ RouteTableId, InstanceId, DestinationCidrBlock: '192.168.0.0/24' }),
    );
  await world.client.send(new ModifyInstanceAttributeCommand({ InstanceId, SourceDestCheck: { Value: false } }));
  world.calls.length = 0;

  expect(await world.sweep()).toBe(false);
  await world.pass('network');
  await world.pass('natGateways');

  expect(world.calls).toEqual([]);
  expect(await routesToPods()).toBe(RouteTables.length);
});
