/** Counts of the account's resources that were just read for another cluster or an earlier pass. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rememberCounts } from '../../shared/providers/aws/api/remembered-counts.ts';
import { create } from './steps.ts';
import { startWorld, type World } from './world.ts';

const calls: string[] = [];
let world: World;

beforeAll(async () => {
  const started = await startWorld({}, {}, { onCall: ({ operation }) => void calls.push(operation) });
  const facts = rememberCounts(started.facts(), started.clock);
  world = { ...started, facts: () => facts };
});
afterAll(() => world.close());

it('cached quota counts do not block a cluster: they are read again if they say that a quota is used up', async () => {
  const { settings } = world.account;
  const before = settings.quotas.vpcs;
  settings.quotas.vpcs = 0;
  expect(await create(world)).toBe(false);

  settings.quotas.vpcs = before;
  await world.clock.sleep(1);
  calls.length = 0;

  expect(await create(world)).toBe(true);
  expect(calls.filter((operation) => operation === 'GetServiceQuota').length).toBeGreaterThan(0);
});
