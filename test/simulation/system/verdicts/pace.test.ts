import { expect, it } from 'vitest';
import { paceBreaches } from './pace.ts';

/** Executions of a state machine for one object, at this interval. */
const started = (machine: string, kind: string, { count, seconds }: { count: number; seconds: number }) =>
  Array.from({ length: count }, (_, index) => ({
    machineArn: `arn:aws:states:us-east-1:000000000000:stateMachine:${machine}`,
    input: JSON.stringify({ [kind]: { uid: 'u' } }),
    startDate: new Date(Date.UTC(2026, 0, 1) + index * seconds * 1000),
  }));

it('executions that start in rapid succession are a violation', () => {
  expect(paceBreaches(started('converge-pool', 'pool', { count: 100, seconds: 0.5 }))).toEqual([
    '100 executions of converge-pool of u started within a minute, more than 40',
  ]);
  expect(paceBreaches(started('converge-cluster', 'cluster', { count: 100, seconds: 1 }))).toEqual([
    '60 executions of converge-cluster of u started within a minute, more than 40',
  ]);
});

it('many executions over a long time, or for different objects, are not a violation', () => {
  const slow = started('converge-cluster', 'cluster', { count: 200, seconds: 2 });
  const others = started('provision-machine', 'machine', { count: 40, seconds: 0 });
  expect(paceBreaches([...slow, ...others])).toEqual([]);
});
