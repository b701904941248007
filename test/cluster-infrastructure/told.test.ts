/** The reports on the AWSCluster and the Cluster while the infrastructure is incomplete. */
import { afterEach, describe, expect, it } from 'vitest';
import { addInterface } from '../../infra/local/engines/ec2/network/network-interfaces.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { clusterStatus } from '../../shared/plan/status/cluster.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

const network = { vpc: { availabilityZoneUsageLimit: 1 } };

let world: World;
afterEach(() => world.close());

const said = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((condition) => condition.type === type);

/** The condition as the step `report` derives it. */
const saidOfCluster = async (type: string) => {
  const cluster = await world.objects.get(kinds.cluster, KEY);
  if (!cluster) throw new Error('no Cluster');
  const infrastructure = await world.awsCluster();
  const none = {
    controlPlane: null,
    deployments: [],
    sets: [],
    pools: [],
    controlPlaneMachines: [],
    workerMachines: [],
  };
  return findCondition(clusterStatus(cluster, { infrastructure, ...none }, world.clock.now()).conditions, type);
};

describe('a quota that is used up', () => {
  it('is reported in Ready, and dependent parts report that they wait', async () => {
    world = await startWorld({ network });
    world.account.settings.quotas.vpcs = 0;
    expect(await create(world)).toBe(false);

    const lack = 'the account lacks what the cluster needs: quota "VPCs per Region"';
    expect(await said('Ready')).toMatchObject({ severity: 'Error', message: expect.stringContaining(lack) });
    for (const type of ['LoadBalancerReady', 'NatGatewaysReady']) {
      expect((await said(type))?.message, type).toBe('Waiting for the VPC and its subnets');
    }
    expect((await saidOfCluster('Available'))?.message).toContain(`* InfrastructureReady: ${lack}`);
  });
});

it('reports that dependent parts are being created once the network exists', async () => {
  world = await startWorld({ network });
  const refuse = world.account.settings;
  refuse.denied = ['elasticloadbalancing:CreateLoadBalancer'];
  await create(world).catch(() => undefined);
  expect((await said('VpcReady'))?.status).toBe('True');
  expect((await said('NatGatewaysReady'))?.message).toBe('The NAT gateways are being created');
});

it('does not report NAT gateways as ready before AWS has created them', async () => {
  world = await startWorld({ network });
  world.account.settings.natMilliseconds = 120_000;
  expect(await create(world)).toBe(true);
  const [id] = world.account
    .ec2()
    .natGateways.all()
    .map((gateway) => gateway.id);
  const message = `Waiting for AWS to create ${id}`;
  expect(await said('NatGatewaysReady')).toMatchObject({ status: 'False', severity: 'Info', message });
  expect(await saidOfCluster('InfrastructureReady')).toMatchObject({ status: 'False', message });
  // Machines need not wait for it.
  expect((await world.awsCluster()).status?.ready).toBe(true);

  world.clock.advance(120_000);
  await create(world);
  expect((await said('NatGatewaysReady'))?.status).toBe('True');
  expect(await saidOfCluster('InfrastructureReady')).toMatchObject({ status: 'True' });
});

it('makes the Cluster unavailable if its load balancer is gone', async () => {
  world = await startWorld({ network });
  world.account.settings.natMilliseconds = 0;
  await create(world);
  expect(await saidOfCluster('InfrastructureReady')).toMatchObject({ status: 'True', reason: 'Ready' });

  const { loadBalancers, listeners, targetGroups } = world.account.elbv2();
  for (const table of [listeners, targetGroups, loadBalancers]) table.clear();
  expect(await create(world)).toBe(false);
  expect(await saidOfCluster('InfrastructureReady')).toMatchObject({ status: 'False', reason: 'LoadBalancerFailed' });
});

it('reports on the Cluster what blocks a deletion', async () => {
  world = await startWorld({ network });
  await create(world);
  const ec2 = world.account.ec2();
  const [recorded] = (await world.awsCluster()).spec.network?.subnets ?? [];
  const subnet = ec2.subnets.find(recorded?.resourceID ?? '');
  if (!subnet) throw new Error('no subnet');
  const { id } = addInterface(ec2, { subnet, description: 'of someone', interfaceType: 'interface' });
  await askForDeletion(world);
  await expect(remove(world, { passes: 3 })).rejects.toThrow('not deleted');

  expect((await said('Ready'))?.message).toContain(`network interface ${id}`);
  expect((await saidOfCluster('Deleting'))?.message).toMatch(
    new RegExp(`^Waiting for AWSCluster to be deleted: Waiting for .*network interface ${id}`),
  );
});
