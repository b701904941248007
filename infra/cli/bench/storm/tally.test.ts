import { expect, it } from 'vitest';
import { makeTally } from './tally.ts';

const RUN = { service: 'ec2', operation: 'RunInstances', region: 'us-east-1' };

it('compares the accepted calls with the tokens of the bucket between the first and the last call', () => {
  const tally = makeTally();
  for (let call = 0; call < 5; call += 1) tally.count(RUN, { MaxCount: 1 }, undefined, 0);
  tally.count(RUN, { MaxCount: 1 }, 'RequestLimitExceeded', 100);
  for (let call = 1; call <= 9; call += 1) tally.count(RUN, { MaxCount: 1 }, undefined, call * 1_000);

  const [requests, instances] = tally.figures();
  expect(requests).toEqual({ bucket: 'ec2 RunInstances', calls: 14, throttled: 1, seconds: 9, share: 14 / 23 });
  expect(instances).toMatchObject({ bucket: 'ec2 RunInstances instances', share: 14 / 1018 });
});

it('counts calls that failed for another reason as accepted', () => {
  const tally = makeTally();
  tally.count(RUN, {}, 'InsufficientInstanceCapacity', 0);
  expect(tally.figures()[0]).toMatchObject({ calls: 1, throttled: 0, seconds: 0 });
});
