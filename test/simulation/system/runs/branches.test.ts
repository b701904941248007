import { expect, it } from 'vitest';
import type { Fault } from '../faults/kinds.ts';
import { makeBrancher, makeSeedBrancher } from './branches.ts';

const FAULTS: readonly Fault[] = [
  { effect: 2, kind: 'dies after' },
  { effect: 2, kind: 'sweep' },
  { effect: 3, kind: 'dies after' },
];

it('a run is copied for each fault at its effect, and continues without faults itself', () => {
  const ends: unknown[] = [];
  const brancher = makeBrancher({ fork: () => ({ isCopy: false, status: 0 }) }, FAULTS, (...end) => ends.push(end));
  expect(brancher.at(1)).toEqual([]);
  expect(ends).toEqual([]);
  expect(brancher.at(2)).toEqual([]);
  expect(ends).toEqual([
    [{ faults: [FAULTS[0]] }, 0],
    [{ faults: [FAULTS[1]] }, 0],
  ]);
  expect(brancher.isOver).toBe(false);
  expect(brancher.at(3)).toEqual([]);
  expect(brancher).toMatchObject({ isOver: true, own: undefined });
});

it('a copy gets its own fault, and no other', () => {
  const made = [{ isCopy: false, status: 0 } as const, { isCopy: true } as const];
  const brancher = makeBrancher({ fork: () => made.shift() ?? { isCopy: true } }, FAULTS, () => undefined);
  expect(brancher.at(2)).toEqual([FAULTS[1]]);
  expect(brancher.own).toEqual({ faults: [FAULTS[1]] });
  expect(brancher.at(3)).toEqual([]);
});

it('a copy that crashes is repeated, and reported if it crashes each time', () => {
  const statuses = [11, 0x80 | 11, 0, 11, 11, 11, 256];
  const ends: number[] = [];
  const fork = () => ({ isCopy: false, status: statuses.shift() ?? 0 }) as const;
  const brancher = makeBrancher({ fork }, FAULTS, (_, status) => ends.push(status));
  brancher.at(2);
  brancher.at(3);
  expect(ends).toEqual([0, 11, 256]);
});

it('a run is copied for each seed where changes begin, and each copy continues with its own seed only', () => {
  const ends: unknown[] = [];
  const original = makeSeedBrancher({ fork: () => ({ isCopy: false, status: 0 }) }, [7, 8], (own) => ends.push(own));
  expect(original.isOver).toBe(false);
  expect(original.seed()).toBeUndefined();
  expect(ends).toEqual([{ seed: 7 }, { seed: 8 }]);
  expect(original).toMatchObject({ isOver: true, own: undefined });
  const copy = makeSeedBrancher({ fork: () => ({ isCopy: true }) }, [7, 8], () => undefined);
  expect(copy.seed()).toBe(7);
  expect(copy).toMatchObject({ isOver: false, own: { seed: 7 } });
});
