import { expect, it } from 'vitest';
import type { AccountFacts } from './account-facts.ts';
import { rememberCounts } from './remembered-counts.ts';

const setUp = () => {
  const state = { now: 0, asked: 0, isBroken: false };
  const count = async (): Promise<number> => {
    state.asked += 1;
    if (state.isBroken) throw new Error('throttled');
    return state.asked;
  };
  const facts = { vpcs: count, quota: count, natGateways: count } as unknown as AccountFacts;
  const remembered = rememberCounts(facts, { now: () => new Date(state.now) });
  return { state, remembered };
};

it('a count is read once in ten seconds', async () => {
  const { state, remembered } = setUp();
  expect(await Promise.all([remembered.vpcs(), remembered.vpcs()])).toEqual([1, 1]);
  state.now = 9_999;
  expect(await remembered.vpcs()).toBe(1);
  state.now = 10_000;
  expect(await remembered.vpcs()).toBe(2);
});

it('counts for different queries are cached separately', async () => {
  const { remembered } = setUp();
  const natGateways = await Promise.all([remembered.natGateways(['a']), remembered.natGateways(['b'])]);
  expect([...natGateways, await remembered.vpcs()]).toEqual([1, 2, 3]);
});

it('an error is not cached as a count', async () => {
  const { state, remembered } = setUp();
  state.isBroken = true;
  await expect(remembered.vpcs()).rejects.toThrow('throttled');
  state.isBroken = false;
  expect(await remembered.vpcs()).toBe(2);
});

it('counts from before a time can be dropped, and the result says whether there were any', async () => {
  const { state, remembered } = setUp();
  await remembered.vpcs();
  expect(remembered.forgetBefore(new Date(0))).toBe(false);
  state.now = 5;
  await remembered.quota({ service: 'ec2', code: 'L-1' } as Parameters<AccountFacts['quota']>[0]);
  expect(remembered.forgetBefore(new Date(5))).toBe(true);
  expect(await remembered.vpcs()).toBe(3);
  expect(await remembered.quota({ service: 'ec2', code: 'L-1' } as Parameters<AccountFacts['quota']>[0])).toBe(2);
});
