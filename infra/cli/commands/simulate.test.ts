import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

it('refuses options that only the simulation of the whole system accepts', async () => {
  const options = { first: 1, json: false, system: false, context: [] };
  await expect(simulate(options, ['--faults'])).rejects.toThrow('--faults: only --system takes further options');
  await expect(simulate({ ...options, context: ['apiCallEvents=true'] }, [])).rejects.toThrow(
    '--context: only --system takes further options',
  );
});
