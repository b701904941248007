import { expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createAccount } from '../../local/account.ts';
import { LIFELIKE, readFaults } from './faults.ts';

const applied = async (options: Partial<Parameters<typeof readFaults>[0]>) => {
  const account = createAccount({ clock: systemClock, random: systemRandom });
  (await readFaults({ fail: [], throttle: false, ...options }))(account);
  return account;
};

it('makes calls fail as often as requested, or always', async () => {
  const account = await applied({ fail: ['CreateVpc=VpcLimitExceeded:1', 'CreateLoadBalancer=TooManyLoadBalancers'] });
  const vpc = { service: 'ec2', operation: 'CreateVpc' };
  expect(() => account.injection.check(vpc, 'before')).toThrow('injected');
  expect(() => account.injection.check(vpc, 'before')).not.toThrow();
  const balancer = { service: 'elasticloadbalancing', operation: 'CreateLoadBalancer' };
  for (let call = 0; call < 3; call += 1) expect(() => account.injection.check(balancer, 'before')).toThrow('injected');
});

it('removes the capacity of one zone, or of all zones', async () => {
  const { settings } = await applied({ fail: ['RunInstances=InsufficientInstanceCapacity:us-east-1a'] });
  expect(settings.capacityGaps).toEqual([{ zone: 'us-east-1a' }]);
  expect((await applied({ fail: ['RunInstances=InsufficientInstanceCapacity'] })).settings.capacityGaps).toEqual([{}]);
});

it('makes the account as slow as AWS, and throttles it', async () => {
  const { settings } = await applied({ slowAws: 0.5, throttle: true });
  expect(settings).toMatchObject({ throttling: true, natMilliseconds: 60_000, loadBalancerMilliseconds: 75_000 });
});

it('applies the profile of real accounts', async () => {
  const { settings } = await applied(LIFELIKE);
  expect(settings).toMatchObject({
    throttling: true,
    consistencyMilliseconds: 5_000,
    instanceStartMilliseconds: 40_000,
  });
});

it.each([
  ['CreateVpc', 'must be OPERATION=CODE'],
  ['CreateVpc=VpcLimitExceeded:us-east-1a', 'must be how many calls fail'],
  ['createVpc=VpcLimitExceeded', 'no simulated service has this operation'],
])('refuses %s', async (fault, message) => {
  await expect(readFaults({ fail: [fault], throttle: false })).rejects.toThrow(message);
});
