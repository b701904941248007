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
});
afterEach(() => world.close());

const balancers = () => [...world.account.elbv2().loadBalancers.values()];
const members = () =>
  [...world.account.elbv2().targetGroups.values()].map(({ targets }) =>
    [...targets.values()].map(({ instanceId }) => instanceId),
  );
/** Changes the spec as a user does. */
const change = (spec: Partial<AWSCluster['spec']>): Promise<unknown> =>
  world.objects.mutate(kinds.awsCluster, KEY, (current) => ({ ...current, spec: { ...current.spec, ...spec } }));

const recorded = async () => (await world.awsCluster()).status?.networkStatus?.secondaryAPIServerELB;

/** Makes the next creation of this operation take effect and end its run. */
const dieAfter = async (operation: string, times = 1): Promise<void> => {
  world.account.failNext('elasticloadbalancing', operation, {
    code: 'AccessDenied',
    status: 403,
    times,
    when: 'after',
  });
  await create(world).catch(() => false);
  world.account.injection.clear();
};

const two = { ...ONE_ZONE, loadBalancers: 2, targetGroups: 2 };

it('the secondary load balancer exists next to the first, both have all machines, and both are deleted with the cluster', async () => {
  expect(await create(world)).toBe(true);
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

it('the secondary load balancer is recreated after its deletion, and deleted when it is removed from the spec', async () => {
  expect(await create(world)).toBe(true);
  const second = balancers().find(({ name }) => name === 'red-inside');
  await world.elbv2.deleteLoadBalancer(second?.arn ?? '');
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(two);

  await change({ secondaryControlPlaneLoadBalancer: undefined });
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(ONE_ZONE);
  expect((await world.awsCluster()).status?.networkStatus?.secondaryAPIServerELB).toBeUndefined();
});

it.each(['CreateLoadBalancer', 'CreateTargetGroup', 'CreateListener'])(
  'the secondary load balancer leaves nothing behind if its creation ends after %s and it is removed from the spec',
  async (operation) => {
    // The first load balancer already exists.
    await change({ secondaryControlPlaneLoadBalancer: undefined });
    expect(await create(world)).toBe(true);
    await change({ secondaryControlPlaneLoadBalancer } as Partial<AWSCluster['spec']>);
    await dieAfter(operation);
    expect(await inventory(world)).not.toEqual(ONE_ZONE);

    await change({ secondaryControlPlaneLoadBalancer: undefined });
    expect(await create(world)).toBe(true);
    expect(await inventory(world)).toEqual(ONE_ZONE);
    expect(await recorded()).toBeUndefined();
  },
);

it('the secondary load balancer is deleted if it appears in AWS only after it was removed from the spec', async () => {
  await change({ secondaryControlPlaneLoadBalancer: undefined });
  expect(await create(world)).toBe(true);
  await change({ secondaryControlPlaneLoadBalancer } as Partial<AWSCluster['spec']>);
  await dieAfter('CreateLoadBalancer');
  const late = balancers().find(({ name }) => name === 'red-inside');
  if (late === undefined) throw new Error('it was not created');
  world.account.elbv2().loadBalancers.delete(late.arn);
  for (const [arn, { name }] of world.account.elbv2().targetGroups)
    if (
      !(await world.awsCluster()).status?.networkStatus?.apiServerElb?.elbListeners?.some(
        (one) => one.targetGroup.name === name,
      )
    )
      world.account.elbv2().targetGroups.delete(arn);

  await change({ secondaryControlPlaneLoadBalancer: undefined });
  expect(await create(world)).toBe(true);
  expect(await recorded()).toMatchObject({ name: 'red-inside' });
  world.account.elbv2().loadBalancers.set(late.arn, late);
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(ONE_ZONE);
  expect(await recorded()).toBeUndefined();
});

it('the secondary load balancer is replaced if the spec gives it another name', async () => {
  expect(await create(world)).toBe(true);
  // Its name cannot be changed in one request.
  await change({ secondaryControlPlaneLoadBalancer: undefined });
  await change({ secondaryControlPlaneLoadBalancer: { name: 'red-other' } } as Partial<AWSCluster['spec']>);
  expect(await create(world)).toBe(true);
  expect(
    balancers()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['default-red-apiserver', 'red-other']);
  expect(await inventory(world)).toEqual(two);
  expect(await recorded()).toMatchObject({ name: 'red-other' });
});

it('the secondary load balancer is deleted with the cluster if the spec names another one by then', async () => {
  expect(await create(world)).toBe(true);
  await change({ secondaryControlPlaneLoadBalancer: undefined });
  await change({ secondaryControlPlaneLoadBalancer: { name: 'red-other' } } as Partial<AWSCluster['spec']>);
  // Otherwise, it would be found by its tags, as resources of controllers in the cluster are.
  const annotations = { 'aws.cluster.x-k8s.io/external-resource-gc': 'false' };
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
  }));
  world.clock.advance(3600);
  await askForDeletion(world);
  await remove(world);
  expect(await inventory(world)).toEqual(NOTHING);
});

it('a listener that is removed before it is complete leaves no target group behind', async () => {
  await change({ secondaryControlPlaneLoadBalancer: undefined });
  expect(await create(world)).toBe(true);
  const { controlPlaneLoadBalancer } = (await world.awsCluster()).spec;
  const additionalListeners = [{ port: 8132 }];
  await change({ controlPlaneLoadBalancer: { ...controlPlaneLoadBalancer, additionalListeners } } as Partial<
    AWSCluster['spec']
  >);
  await dieAfter('CreateTargetGroup');
  expect((await inventory(world)).targetGroups).toBe(2);

  await change({ controlPlaneLoadBalancer });
  expect(await create(world)).toBe(true);
  expect(await inventory(world)).toEqual(ONE_ZONE);
});
