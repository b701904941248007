import { afterEach, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING, ONE_ZONE } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

const network = { vpc: { availabilityZoneUsageLimit: 1 } };

let world: World;
afterEach(() => world.close());

const loadBalancerReady = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'LoadBalancerReady');

it('the endpoint is expected from the user if the load balancer is disabled, and the cluster continues once it is set', async () => {
  world = await startWorld({ network, controlPlaneLoadBalancer: { loadBalancerType: 'disabled' } });
  expect(await create(world)).toBe(false);
  expect(await loadBalancerReady()).toMatchObject({ reason: 'WaitForExternalControlPlaneEndpoint', severity: 'Info' });

  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    spec: { ...current.spec, controlPlaneEndpoint: { host: 'api.red.example', port: 6443 } },
  }));
  expect(await create(world)).toBe(true);
  const { status } = await world.awsCluster();
  expect(status?.ready).toBe(true);
  expect(await inventory(world)).toEqual({ ...ONE_ZONE, loadBalancers: 0, targetGroups: 0 });
  await askForDeletion(world);
  await remove(world);
  expect(await inventory(world)).toEqual(NOTHING);
});

it('the endpoint is published once its DNS name resolves if the user enables that check, and is not looked up again', async () => {
  const controlPlaneLoadBalancer = { loadBalancerType: 'nlb', dnsResolutionCheck: 'Enabled' } as const;
  world = await startWorld({ network, controlPlaneLoadBalancer });
  world.unknownNames.add('*');
  expect(await create(world)).toBe(false);
  expect(await loadBalancerReady()).toMatchObject({ reason: 'WaitForDNSNameResolve', severity: 'Info' });
  expect((await world.awsCluster()).spec.controlPlaneEndpoint?.host).toBeUndefined();

  world.unknownNames.clear();
  expect(await create(world)).toBe(true);
  world.unknownNames.add('*');
  expect(await create(world)).toBe(true);
});
