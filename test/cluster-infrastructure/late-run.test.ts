import { DeleteNatGatewayCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TransientError } from '../../shared/errors.ts';
import { createBalancingCache } from '../../shared/providers/aws/api/balancing-cache.ts';
import { createNetworkCache } from '../../shared/providers/aws/api/network-cache.ts';
import { create, createInfrastructure } from './steps.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 2 } } });
  world.account.settings.natMilliseconds = 0;
});
afterEach(() => world.close());

/**
 * Runs `meanwhile` while a run creates the first route to a NAT gateway. Until then, the last address is not described.
 */
const delay = (meanwhile: () => Promise<void> | void): void => {
  const { ec2, account } = world;
  const { describeAddresses, createRoute } = ec2;
  let isHidden = true;
  const first = () => account.ec2().addresses.all()[0]?.id;
  Object.assign(ec2, {
    describeAddresses: async (...input: Parameters<typeof describeAddresses>) => {
      const all = await describeAddresses(...input);
      return isHidden ? all.filter(({ allocationId }) => allocationId === first()) : all;
    },
    createRoute: async (...input: Parameters<typeof createRoute>) => {
      await createRoute(...input);
      if (!isHidden || account.ec2().natGateways.all().length === 0) return;
      isHidden = false;
      await meanwhile();
    },
  });
};

/** Another process, which has cached nothing yet. */
const another = (): World => {
  const { clock } = world;
  return {
    ...world,
    memories: { networkCache: createNetworkCache(clock), balancingCache: createBalancingCache(clock) },
  };
};

it.each([
  { reason: 'until its intents had expired', meanwhile: () => world.clock.advance(31) },
  {
    reason: 'while another run finished the network',
    meanwhile: async () => void (await createInfrastructure(another())),
  },
])('a run that was delayed $reason does not allocate an address again', async ({ meanwhile }) => {
  delay(meanwhile);

  expect(await create(world)).toBe(true);

  const { addresses, natGateways } = world.account.ec2();
  expect([addresses.all().length, natGateways.all().length]).toEqual([2, 2]);
});

const SECONDS_OF_A_DELETION = 300;

/** Retries as the workflow does, with another process each time. */
const createWithRetries = async (): Promise<boolean> => {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      return await createInfrastructure(another());
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
    }
  }
  return false;
};

it.each([5_000, 20_000])(
  'a deleted NAT gateway is replaced by exactly one, even if EC2 shows it only after %i ms',
  async (lag) => {
    expect(await create(world)).toBe(true);
    const { natGateways, addresses } = world.account.ec2();
    for (const { id } of natGateways.all()) await world.client.send(new DeleteNatGatewayCommand({ NatGatewayId: id }));
    world.clock.advance(SECONDS_OF_A_DELETION);
    world.account.settings.consistencyMilliseconds = lag;

    expect(await createWithRetries()).toBe(true);

    const live = natGateways.all().filter(({ timeline }) => timeline.at(-1)?.state === 'available');
    expect([live.length, addresses.all().length]).toEqual([2, 2]);
  },
);
