import { expect, it } from 'vitest';
import { outdatedAtTimes } from './descriptions.ts';

it('returns the oldest response of the last 20 seconds to the same description while outdated responses are enabled', async () => {
  let [now, count, isOutdated, status] = [0, 0, false, 200];
  const aws = outdatedAtTimes({ now: () => now, isOutdated: () => isOutdated })({
    answer: async () => {
      count += 1;
      return { status, headers: {}, body: String(count) };
    },
  });
  const ask = async (at: number, body: string): Promise<unknown> => {
    now = at * 1000;
    const url = new URL('http://aws/');
    return (await aws.answer({ method: 'POST', url, headers: {}, body: Buffer.from(body) })).body;
  };
  const [instances, others, launch] = [
    'Action=DescribeInstances&Id=1',
    'Action=DescribeInstances',
    'Action=RunInstances',
  ];
  expect(await ask(0, instances)).toBe('1');
  expect(await ask(10, instances)).toBe('2');
  isOutdated = true;
  expect(await ask(20, instances)).toBe('1');
  expect(await ask(21, instances)).toBe('2');
  expect(await ask(22, others)).toBe('5');
  expect([await ask(23, launch), await ask(24, launch)]).toEqual(['6', '7']);
  status = 503;
  expect(await ask(25, instances)).toBe('8');
  [status, isOutdated] = [200, false];
  expect(await ask(26, instances)).toBe('9');
});
