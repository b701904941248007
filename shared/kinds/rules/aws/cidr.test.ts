import { describe, expect, it } from 'vitest';
import { validateDisjoint } from './cidr.ts';

describe('validateDisjoint', () => {
  it('compares only blocks of the same family, and skips malformed ones', () => {
    const blocks = ['10.0.0.0/8', '::/0', 'nonsense', '11.0.0.0/8'].map((cidr, index) => ({
      field: `f[${index}]`,
      cidr,
    }));
    expect(validateDisjoint(blocks)).toEqual([]);
  });

  it('finds a block within another, in either order', () => {
    const [small, large] = [
      { field: 'small', cidr: '10.1.0.0/24' },
      { field: 'large', cidr: '10.0.0.0/8' },
    ] as const;
    expect(validateDisjoint([small, large]).map(({ field }) => field)).toEqual(['large']);
    expect(validateDisjoint([large, small]).map(({ field }) => field)).toEqual(['small']);
  });
});
