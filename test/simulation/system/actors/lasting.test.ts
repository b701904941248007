import { expect, it } from 'vitest';
import { type BusEvent, createEventBus, type EventBus } from '../../../../infra/local/engines/events/bus.ts';
import { makeHandClock } from '../../../../infra/local/test-aws.ts';
import { makeLasting } from './lasting.ts';

/** Waits in virtual time. */
const makeTime = () => {
  let now = 0;
  const waiting: { at: number; act: () => void }[] = [];
  return {
    wait: (milliseconds: number) => new Promise<void>((act) => void waiting.push({ at: now + milliseconds, act })),
    pass: async (milliseconds: number): Promise<void> => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        waiting.splice(waiting.indexOf(next), 1);
        now = next.at;
        next.act();
        await new Promise(setImmediate);
      }
      now = end;
    },
  };
};

const event = (id: string, type = 'EC2 Instance State-change Notification'): BusEvent =>
  ({ id, 'detail-type': type }) as BusEvent;

const TRAIL = 'AWS API Call via CloudTrail';

const makeWorld = (seed = 1) => {
  const time = makeTime();
  const arrived: string[] = [];
  const bus: EventBus = createEventBus(makeHandClock());
  bus.listen(({ id }) => void arrived.push(id));
  const lasting = makeLasting({ wait: time.wait, seed });
  lasting.distort(bus);
  return { ...time, bus, arrived, lasting };
};

const NUMBERS = Array.from({ length: 20 }, (_, index) => String(index));

it('delivers the events of CloudTrail within five minutes, in an order that the seed determines', async () => {
  const orders = await Promise.all(
    [1, 1, 2].map(async (seed) => {
      const { bus, arrived, pass } = makeWorld(seed);
      for (const id of NUMBERS) bus.put(event(id, TRAIL));
      await pass(1);
      expect(arrived.length).toBeLessThan(NUMBERS.length);
      await pass(300_000);
      return arrived;
    }),
  );
  const [one, again, other] = orders;
  expect(new Set(one)).toEqual(new Set(NUMBERS));
  expect(one).not.toEqual(NUMBERS);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

it('delivers late events in another order, and later ones on time', async () => {
  const { bus, arrived, pass, lasting } = makeWorld();
  const isEffective = lasting.last('events late');
  for (const id of NUMBERS) bus.put(event(id));
  await pass(60_000);
  expect(new Set(arrived)).toEqual(new Set(NUMBERS));
  expect(arrived).not.toEqual(NUMBERS);
  bus.put(event('on time'));
  expect(arrived.at(-1)).toBe('on time');
  expect(await isEffective).toBe(true);
});

it('reports whether a fault that lasts a while has affected anything', async () => {
  const { bus, arrived, pass, lasting } = makeWorld();
  const idle = lasting.last('events lost');
  await pass(60_000);
  expect(await idle).toBe(false);
  const busy = lasting.last('events lost');
  bus.put(event('lost'));
  await pass(60_000);
  expect(await busy).toBe(true);
  expect(arrived).toEqual([]);
});

it('hides new resources until the longest lag of the active faults ends, and knows whether there were any', async () => {
  const { pass, lasting } = makeWorld();
  const counters = { sequence: 7 };
  const settings = { consistencyMilliseconds: 0 };
  const account = { settings, ec2: () => ({ counters }) } as never;
  const minutes = lasting.lag(account, 'stale for minutes', 240_000);
  const seconds = lasting.lag(account, 'stale describes', 20_000);
  expect(settings.consistencyMilliseconds).toBe(240_000);
  counters.sequence += 1;
  await pass(60_000);
  expect(settings.consistencyMilliseconds).toBe(0);
  await pass(240_000);
  expect(await Promise.all([minutes, seconds])).toEqual([true, true]);
  const none = lasting.lag(account, 'stale describes', 20_000);
  await pass(60_000);
  expect(await none).toBe(false);
});
