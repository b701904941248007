import { expect, it } from 'vitest';
import type { Scenario } from './play.ts';
import { brokenOf, figuresOf } from './report.ts';

const scenario: Scenario = {
  ...{ seed: 3, changes: 50, course: { turns: [[0.5]], happenings: [] } },
  ...{ lines: ['> a worker fails', '> all is calm'], breaches: ['too many', 'too few'], happenings: 1, passes: 9 },
  simulatedSeconds: 60,
};

it('the figures add up all processes, and count violations', () => {
  const played = [
    { happenings: 4, passes: 30, simulatedSeconds: 3_600 },
    { happenings: 5, passes: 40, simulatedSeconds: 1_800 },
  ];
  expect(figuresOf(played, [scenario])).toEqual({ happenings: 9, passes: 70, simulatedHours: 1.5, violations: 2 });
  expect(figuresOf(played, []).violations).toBe(0);
});

it('a scenario with violations has a command that repeats it, and a transcript', () => {
  expect(brokenOf(scenario)).toEqual({
    ...{ seed: 3, happenings: 1, breaches: ['too many', 'too few'] },
    command: 'npm run simulate -- --first 3 --seeds 1',
    transcript: ['> a worker fails', '> all is calm'],
  });
});
