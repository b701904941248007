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

it('a payload of the current version is not changed, and one without a version counts as the first', () => {
  expect(upgrade({ holder: 'x', version: 3 }, 3)).toEqual({ holder: 'x', version: 3 });
  expect(upgrade({ holder: 'x' }, 1)).toEqual({ holder: 'x' });
});

it('an old payload is brought up to date version by version', () => {
  expect(upgrade({ old: 'x' }, 3)).toEqual({ added: 'by 2', renamed: 'x', version: 3 });
  expect(upgrade({ old: 'x', version: 2 }, 3)).toEqual({ renamed: 'x', version: 3 });
});

it('a payload of a later deployment is tried again', () => {
  expect(() => upgrade({ version: 4 }, 3)).toThrow(TransientError);
});

it('a raised version without a conversion is refused', () => {
  expect(() => upgrade({ version: 3 }, 4)).toThrow('no conversion from version 3');
});

it('definitions before version 4 wait for a node themselves', () => {
  const payload = { step: 'confirmNode', holder: 'x' };
  expect(upgradePayload<Versioned>({ ...payload, version: 3 })).toMatchObject({ ...payload, repeats: true });
  expect(upgradePayload<Versioned>({ ...payload, version: 4 })).not.toHaveProperty('repeats');
});
