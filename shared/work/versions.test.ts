import { expect, it } from 'vitest';
import { TransientError } from '../errors.ts';
import { upgradePayload, type Versioned } from './versions.ts';

const UPGRADES = {
  1: (payload: object) => ({ ...payload, added: 'by 2' }),
  2: ({ old, ...rest }: { old?: string }) => ({ ...rest, renamed: old }),
};

/** Upgrades payloads of versions that do not exist yet. */
const upgrade = (payload: Versioned & Record<string, unknown>, target: number) =>
  upgradePayload(payload, UPGRADES, target);

it('takes a payload of this version as it is, and one without a version as the first', () => {
  expect(upgrade({ holder: 'x', version: 3 }, 3)).toEqual({ holder: 'x', version: 3 });
  expect(upgrade({ holder: 'x' }, 1)).toEqual({ holder: 'x' });
});

it('brings an old payload up to date, version by version', () => {
  expect(upgrade({ old: 'x' }, 3)).toEqual({ added: 'by 2', renamed: 'x', version: 3 });
  expect(upgrade({ old: 'x', version: 2 }, 3)).toEqual({ renamed: 'x', version: 3 });
});

it('has a payload of a later deployment tried again', () => {
  expect(() => upgrade({ version: 4 }, 3)).toThrow(TransientError);
});

it('refuses a raised version without a conversion to it', () => {
  expect(() => upgrade({ version: 3 }, 4)).toThrow('no conversion from version 3');
});

it('has definitions before version 4 wait for a node by themselves', () => {
  const payload = { step: 'confirmNode', holder: 'x' };
  expect(upgradePayload<Versioned>({ ...payload, version: 3 })).toMatchObject({ ...payload, repeats: true });
  expect(upgradePayload<Versioned>({ ...payload, version: 4 })).not.toHaveProperty('repeats');
});
