import { expect, it } from 'vitest';
import { TransientError } from '../errors.ts';
import { upgradePayload } from './versions.ts';

const UPGRADES = {
  1: (payload: object) => ({ ...payload, added: 'by 2' }),
  2: ({ old, ...rest }: { old?: string }) => ({ ...rest, renamed: old }),
};

it('takes a payload of this version as it is, and one without a version as the first', () => {
  expect(upgradePayload({ holder: 'x', version: 3 }, UPGRADES, 3)).toEqual({ holder: 'x', version: 3 });
  expect(upgradePayload({ holder: 'x' })).toEqual({ holder: 'x' });
});

it('brings an old payload up to date, version by version', () => {
  expect(upgradePayload({ old: 'x' }, UPGRADES, 3)).toEqual({ added: 'by 2', renamed: 'x', version: 3 });
  expect(upgradePayload({ old: 'x', version: 2 }, UPGRADES, 3)).toEqual({ renamed: 'x', version: 3 });
});

it('has a payload of a later deployment tried again', () => {
  expect(() => upgradePayload({ version: 4 }, UPGRADES, 3)).toThrow(TransientError);
});

it('refuses where a version was raised without a way up to it', () => {
  expect(() => upgradePayload({ version: 3 }, UPGRADES, 4)).toThrow('no way from version 3');
});
