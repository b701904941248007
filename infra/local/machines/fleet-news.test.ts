import { expect, it } from 'vitest';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { makeHandClock } from '../test-aws.ts';
import { createFleetOver, type FleetSettings } from './fleet.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A fleet without instances, which counts how often it asks for them. */
const runFleet = (others: Partial<FleetSettings>, instances = async () => []) => {
  const [clock, ended] = [makeHandClock(), new AbortController()];
  let looks = 0;
  const cloud = {
    instances: () => {
      looks += 1;
      return instances();
    },
    userData: async () => undefined,
    imageName: async () => undefined,
  };
  const dataPlane = { serve: () => {}, withdraw: () => {} };
  const settings = { clock, random: systemRandom, dataPlane, bootMilliseconds: 0, log: silentLog };
  const fleet = createFleetOver(cloud, {} as never, { ...settings, pollMilliseconds: 100, ...others });
  const running = fleet.run(ended.signal);
  return {
    looks: () => looks,
    pass: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        await turns();
        clock.advance(100);
      }
      await turns();
    },
    end: async () => {
      ended.abort();
      await running;
    },
  };
};

const listen = () => {
  const listeners = new Set<() => void>();
  return {
    tell: () => {
      for (const listener of listeners) listener();
    },
    listeners,
    onNews: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

it('looks at an endpoint that tells nothing again and again', async () => {
  const fleet = runFleet({});
  await fleet.pass(2000);
  expect(fleet.looks()).toBeGreaterThan(15);
  await fleet.end();
});

it('looks seldom where nothing is told, and at once and some times more where something is', async () => {
  const news = listen();
  const fleet = runFleet({ onNews: news.onNews });
  await fleet.pass(2000);
  const idle = fleet.looks();
  expect(idle).toBeLessThan(6);
  await fleet.pass(2000);
  expect(fleet.looks() - idle).toBe(2);

  const before = fleet.looks();
  news.tell();
  await turns();
  expect(fleet.looks()).toBe(before + 1);
  await fleet.pass(400);
  expect(fleet.looks()).toBe(before + 3);
  await fleet.end();
  expect(news.listeners.size).toBe(0);
});

it('does not miss what is told while it looks', async () => {
  const news = listen();
  let isSlow = false;
  const fleet = runFleet({ onNews: news.onNews }, async () => {
    if (!isSlow) return [];
    isSlow = false;
    news.tell();
    await turns();
    return [];
  });
  await fleet.pass(2000);
  isSlow = true;
  const before = fleet.looks();
  await fleet.pass(1000);
  expect(fleet.looks() - before).toBeGreaterThan(3);
  await fleet.end();
});

it('tries again soon after a look that failed', async () => {
  const news = listen();
  const fleet = runFleet({ onNews: news.onNews }, () => Promise.reject(new Error('no answer')));
  await fleet.pass(2000);
  expect(fleet.looks()).toBeGreaterThan(15);
  await fleet.end();
});
