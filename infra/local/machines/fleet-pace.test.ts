import { expect, it } from 'vitest';
import type { Clock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createFleetOver } from './fleet.ts';
import type { Cloud, InstanceState } from './ports.ts';

const instance = { id: 'i-1', vpcId: 'vpc-1', region: 'us-east-1', availabilityZone: 'us-east-1a', imageId: 'ami-1' };
const MACHINE = { ...instance, instanceType: 't3.large', privateIp: '10.0.0.10', privateDnsName: 'ip-10-0-0-10' };

interface Story {
  hasNews: boolean;
  /** The instance at each poll; undefined for a failed poll. It has no user data, so that nothing boots. */
  states: readonly (InstanceState | undefined)[];
  /** The account reports a change during the pauses after these polls. */
  rings?: readonly number[];
  /** The milliseconds that a poll takes. */
  takes?: number;
}

/** The pauses after each poll, in milliseconds; those shortened by a ring are marked. */
const pausesOf = async ({ hasNews, states, rings = [], takes = 0 }: Story): Promise<string[]> => {
  const end = new AbortController();
  const pauses: string[] = [];
  let looks = 0;
  let now = 0;
  let ring = (): void => {};
  const cloud: Cloud = {
    instances: async () => {
      const state = states[looks];
      looks += 1;
      now += takes;
      if (state === undefined) throw new Error('RequestLimitExceeded');
      return [{ instance: MACHINE, state }];
    },
    userData: async () => undefined,
    imageName: async () => undefined,
  };
  const clock: Clock = {
    now: () => new Date(now),
    sleep: async (milliseconds, signal) => {
      const isRung = rings.includes(looks);
      if (isRung) ring();
      pauses.push(`${milliseconds}${signal?.aborted ? ' cut' : ''}`);
      if (looks === states.length) end.abort();
    },
  };
  const onNews = (given: () => void) => {
    ring = given;
    return () => void pauses.push('deaf');
  };
  const account = { secrets: { read: async () => Buffer.alloc(0), remove: async () => {} }, remote: {} as never };
  const fleet = createFleetOver(cloud, account, {
    ...{ clock, random: systemRandom, dataPlane: {} as never, bootMilliseconds: 0, log: silentLog },
    ...{ pollMilliseconds: 150, ...(hasNews ? { onNews } : {}) },
  });
  await fleet.run(end.signal);
  return pauses;
};

const times = (count: number, state: InstanceState): InstanceState[] => Array(count).fill(state);

it('polls less and less often while nothing changes, but at least every five seconds', async () => {
  const pauses = await pausesOf({ hasNews: true, states: times(8, 'running') });
  expect(pauses).toEqual(['150', '300', '600', '1200', '2400', '4800', '5000', '5000', 'deaf']);
});

it('polls often while an instance changes its state, after a change, and after a failure', async () => {
  const states = ['pending', 'pending', 'running', 'running', undefined, 'running', 'stopping', 'stopped'] as const;
  expect(await pausesOf({ hasNews: true, states })).toEqual([
    ...['150', '150', '150', '300', '150', '300', '150', '150'],
    'deaf',
  ]);
});

it('polls immediately after a report of a change', async () => {
  const pauses = await pausesOf({ hasNews: true, states: times(4, 'running'), rings: [3] });
  expect(pauses).toEqual(['150', '300', '600 cut', '1200', 'deaf']);
});

it('pauses after a long poll for four times its duration, whatever is reported', async () => {
  const pauses = await pausesOf({ hasNews: true, states: times(2, 'pending'), rings: [1], takes: 101 });
  expect(pauses).toEqual(['404', '404', 'deaf']);
  expect(await pausesOf({ hasNews: true, states: ['pending'], takes: 100 })).toEqual(['150', 'deaf']);
  expect(await pausesOf({ hasNews: true, states: ['pending'], takes: 90_000 })).toEqual(['5000', 'deaf']);
});

it('polls at a constant pace without reports', async () => {
  expect(await pausesOf({ hasNews: false, states: times(4, 'running') })).toEqual(['150', '150', '150', '150']);
});
