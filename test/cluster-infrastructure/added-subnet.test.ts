import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await create(world);
});
afterEach(() => world.close());

/** Lists a second public subnet of a zone before the existing one. */
const addFirst = async () => {
  const { subnets = [] } = (await world.awsCluster()).spec.network ?? {};
  const zone = subnets.find(({ isPublic }) => isPublic)?.availabilityZone ?? '';
  const extra = { id: 'red-extra', availabilityZone: zone, cidrBlock: '10.0.48.0/20', isPublic: true };
  await world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, network: { ...spec.network, subnets: [extra, ...(spec.network?.subnets ?? [])] } },
  }));
};

const seen = () => {
  const [balancer] = world.account.elbv2().loadBalancers.values();
  const gateways = world.account.ec2().natGateways.all();
  return {
    balancer: balancer?.subnets.map(({ subnetId }) => subnetId).sort(),
    gateways: gateways.map(({ id }) => id).sort(),
  };
};

describe('a second public subnet in a zone, before the first one', () => {
  it('is created, and neither the load balancer nor the NAT gateway moves to it', async () => {
    const before = seen();
    await addFirst();
    await create(world);

    const { spec, status } = await world.awsCluster();
    expect(spec.network?.subnets?.[0]?.resourceID).toMatch(/^subnet-/);
    expect(seen()).toEqual(before);
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'LoadBalancerReady', status: 'True' }));
    expect(status?.networkStatus?.apiServerElb?.subnetIds).toEqual(before.balancer);
  });
});
