import { afterEach, expect, it } from 'vitest';
import { KilledError, makeExecutioner } from './faults.ts';
import { inventory, NOTHING } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { startWorld, type World } from './world.ts';

const POOL = { id: 'ipv4pool-ec2-0a', cidr: '203.0.113.0/29' };
const FIELD = 'spec.network.vpc.elasticIpPool.publicIpv4Pool';

const start = async (availabilityZoneUsageLimit: number): Promise<World> => {
  const elasticIpPool = { publicIpv4Pool: POOL.id, publicIpv4PoolFallbackOrder: 'none' as const };
  return startWorld({ network: { vpc: { availabilityZoneUsageLimit, elasticIpPool } } });
};

let world: World;
afterEach(() => world.close());

const addresses = () =>
  world.account
    .ec2()
    .addresses.all()
    .filter(({ tags }) => tags.get('sigs.k8s.io/cluster-api-provider-aws/role') === 'lb-apiserver');
/** The public addresses of the load balancer's interfaces, by private address. */
const shown = () => {
  const { networkInterfaces } = world.account.ec2();
  return [...world.account.elbv2().loadBalancers.values()]
    .flatMap(({ subnets }) => subnets.map(({ interfaceId }) => networkInterfaces.find(interfaceId)?.publicIp))
    .sort();
};
const bound = () =>
  addresses()
    .filter(({ binding }) => binding !== undefined)
    .map(({ publicIp }) => publicIp)
    .sort();
const message = async (): Promise<string | undefined> =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'LoadBalancerReady')?.message;

it('the load balancer has an address of the pool in each subnet, which is released with the cluster', async () => {
  world = await start(2);
  world.account.settings.publicIpv4Pools = [POOL];
  expect(await create(world)).toBe(true);
  expect(addresses()).toHaveLength(2);
  expect(shown()).toEqual(bound());
  expect(addresses().every(({ poolId }) => poolId === POOL.id)).toBe(true);

  await askForDeletion(world);
  await remove(world);
  expect(await inventory(world)).toEqual(NOTHING);
});

it('the load balancer waits until the pool exists and has enough addresses, and reports what is missing', async () => {
  world = await start(2);
  expect(await create(world)).toBe(false);
  expect(await message()).toBe(`${FIELD}: there is no pool ${POOL.id}`);
  world.account.settings.publicIpv4Pools = [{ ...POOL, cidr: '203.0.113.1/32' }];
  expect(await create(world)).toBe(false);
  expect(await message()).toBe(
    `${FIELD}: pool ${POOL.id} has no free address, and publicIpv4PoolFallbackOrder is none`,
  );
  expect(addresses()).toEqual([]);
});

/** The effects around the allocation: its intent, the address, the event, the load balancer. */
const AROUND = [5, 6, 7, 8];

/** Runs once with a crash after this effect, and then again; returns the number of addresses after the first run. */
const dieAfter = async (at: number): Promise<number> => {
  world = await start(1);
  expect(await create(world)).toBe(false);
  world.account.settings.publicIpv4Pools = [POOL];
  await expect(create(world, makeExecutioner(at, 'after'))).rejects.toThrow(KilledError);
  const left = addresses().length;
  world.clock.advance(600);
  expect(await create(world)).toBe(true);
  expect(addresses()).toHaveLength(1);
  expect(bound()).toEqual(shown());
  return left;
};

it('the load balancer gets no second address if the answer about the first one is lost', async () => {
  world = await start(1);
  world.account.settings.publicIpv4Pools = [POOL];
  world.account.failNext('ec2', 'AllocateAddress', { code: 'InternalError', status: 500, when: 'after' });
  await expect(create(world)).rejects.toMatchObject({ name: 'InternalError' });
  expect(await create(world)).toBe(true);
  expect(addresses()).toHaveLength(1);
  expect(bound()).toEqual(shown());
});

it('the load balancer gets no second address when a run dies', async () => {
  const left: number[] = [];
  for (const at of AROUND) {
    left.push(await dieAfter(at));
    if (at !== AROUND.at(-1)) await world.close();
  }
  expect(new Set(left)).toEqual(new Set([0, 1]));
});
