import { expect, it } from 'vitest';
import { sweepBeside } from './sweeps.ts';

it('clusters are compared in each sweep, and at once when the API servers that hang beside them are known', async () => {
  const [alone, beside] = [await sweepBeside(0), await sweepBeside(30)];

  expect(alone.sweeps.map(({ healthySeconds }) => healthySeconds)).toEqual([0.1, 0.1, 0.1, 0.1]);
  const [first, ...later] = beside.sweeps;
  expect(first?.hangingQueried).toBe(30);
  // After two minutes, no more servers would be queried.
  expect(first?.healthySeconds).toBeLessThan(120);
  expect(later.map(({ healthySeconds }) => healthySeconds)).toEqual([0.1, 0.1, 0.1]);
});
