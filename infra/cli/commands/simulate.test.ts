import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

it('refuses options that only the simulation of the whole system accepts', async () => {
  await expect(simulate({ first: 1, json: false, system: false }, ['--faults'])).rejects.toThrow(
    '--faults: only --system takes further options',
  );
});
