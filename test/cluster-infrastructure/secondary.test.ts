import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING, ONE_ZONE } from './inventory.ts';
import { addMachine } from './machine.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

const secondaryControlPlaneLoadBalancer = { name: 'red-inside' };

let world: World;
beforeEach(async () => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 1 } }, secondaryControlPlaneLoadBalancer });
  expect(await create(world)).toBe(true);
});
afterEach(() => world.close());

const balancers = () => [...world.account.elbv2().loadBalancers.values()];
const members = () =>
  [...world.account.elbv2().targetGroups.values()].map(({ targets }) =>
    [...targets.values()].map(({ instanceId }) => instanceId),
  );
const two = { ...ONE_ZONE, loadBalancers: 2, targetGroups: 2 };

it('exists beside the first with all machines behind both, and both are deleted with the cluster', async () => {
  const id = await addMachine(world);
  await create(world);

  const { spec, status } = await world.awsCluster();
  expect(balancers().map(({ name, scheme }) => [name, scheme])).toEqual(
    expect.arrayContaining([
      ['default-red-apiserver', 'internet-facing'],
      ['red-inside', 'internal'],
    ]),
  );
  expect(members()).toEqual([[id], [id]]);
  const { apiServerElb: first, secondaryAPIServerELB: second } = status?.networkStatus ?? {};
  expect(spec.controlPlaneEndpoint?.host).toBe(first?.dnsName);
  expect(second).toMatchObject({ name: 'red-inside', scheme: 'internal', loadBalancerType: 'nlb' });
  expect(second?.elbListeners?.[0]?.targetGroup.name).not.toBe(first?.elbListeners?.[0]?.targetGroup.name);
  expect(await inventory(world)).toEqual(two);
  await world.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  world.clock.advance(3600);
  await askForDeletion(world);
  await remove(world);
  expect(await inventory(world)).toEqual(NOTHING);
});

it('is recreated after its deletion, and deleted when it is removed from the spec', async () => {
  const second = balancers().find(({ name }) => name === 'red-inside');
  await world.elbv2.deleteLoadBalancer(second?.arn ?? '');
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(two);

  await world.objects.mutate(kinds.awsCluster, KEY, (current): AWSCluster => {
    const { secondaryControlPlaneLoadBalancer: _gone, ...spec } = current.spec;
    return { ...current, spec };
  });
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(ONE_ZONE);
  expect((await world.awsCluster()).status?.networkStatus?.secondaryAPIServerELB).toBeUndefined();
});
