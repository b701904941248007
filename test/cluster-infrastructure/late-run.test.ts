import { afterEach, expect, it } from 'vitest';
import { create } from './steps.ts';
import { startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

/** The last address is not described until a route to the first NAT gateway took so long that all intents have expired. */
const delayWhileAddressIsHidden = ({ ec2, clock, account }: World): void => {
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
      clock.advance(31);
    },
  });
};

it('does not allocate an address again because it was delayed after it had described the addresses', async () => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 2 } } });
  world.account.settings.natMilliseconds = 0;
  delayWhileAddressIsHidden(world);

  expect(await create(world)).toBe(true);

  const { addresses, natGateways } = world.account.ec2();
  expect([addresses.all().length, natGateways.all().length]).toEqual([2, 2]);
});
