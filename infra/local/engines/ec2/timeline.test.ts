import { expect, it } from 'vitest';
import { stateAt, type Timeline, turn } from './timeline.ts';

type Life = 'pending' | 'running' | 'shutting-down' | 'terminated';
const launched: Timeline<Life> = [
  { at: 0, state: 'pending' },
  { at: 300, state: 'running' },
];

it('derives the state from the clock', () => {
  expect([-1, 0, 299, 300, 9999].map((now) => stateAt(launched, now))).toEqual([
    'pending',
    'pending',
    'pending',
    'running',
    'running',
  ]);
});

it('cancels future states when another event happens', () => {
  const turned = turn(launched, 100, [
    { at: 100, state: 'shutting-down' },
    { at: 400, state: 'terminated' },
  ]);

  expect([50, 100, 300, 399, 400].map((now) => stateAt(turned, now))).toEqual([
    'pending',
    'shutting-down',
    'shutting-down',
    'shutting-down',
    'terminated',
  ]);
});
