import { describe, expect, it } from 'vitest';
import { contains, parseCidr, validateDisjoint } from './cidr.ts';

describe('parseCidr', () => {
  it.each([
    { cidr: '10.0.0.0/16', first: 0x0a000000n, last: 0x0a00ffffn },
    { cidr: '10.0.3.7/16', first: 0x0a000000n, last: 0x0a00ffffn },
    { cidr: '0.0.0.0/0', first: 0n, last: 0xffffffffn },
    { cidr: '192.168.1.1/32', first: 0xc0a80101n, last: 0xc0a80101n },
    { cidr: '::/0', first: 0n, last: (1n << 128n) - 1n },
    { cidr: 'fd00::1:0/112', first: (0xfd00n << 112n) | 0x10000n, last: (0xfd00n << 112n) | 0x1ffffn },
    { cidr: '::ffff:10.0.0.0/128', first: 0xffff0a000000n, last: 0xffff0a000000n },
    {
      cidr: '1:2:3:4:5:6:7:8/128',
      first: 0x00010002000300040005000600070008n,
      last: 0x00010002000300040005000600070008n,
    },
  ])('reads $cidr', ({ cidr, first, last }) => {
    expect(parseCidr(cidr)).toMatchObject({ first, last });
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.256/8',
    'fe80::1%eth0/64',
    '1::2::3/64',
    '/16',
  ])('refuses %s', (cidr) => {
    expect(parseCidr(cidr)).toBeUndefined();
  });
});

describe('validateDisjoint', () => {
  it('compares blocks of one family, and leaves out what is malformed', () => {
    const blocks = ['10.0.0.0/8', '::/0', 'nonsense', '11.0.0.0/8'].map((cidr, index) => ({
      field: `f[${index}]`,
      cidr,
    }));
    expect(validateDisjoint(blocks)).toEqual([]);
  });

  it('sees a block within another, whichever comes first', () => {
    const [small, large] = [
      { field: 'small', cidr: '10.1.0.0/24' },
      { field: 'large', cidr: '10.0.0.0/8' },
    ] as const;
    expect(validateDisjoint([small, large]).map(({ field }) => field)).toEqual(['large']);
    expect(validateDisjoint([large, small]).map(({ field }) => field)).toEqual(['small']);
  });
});

describe('contains', () => {
  it('holds the whole block or not at all', () => {
    const [outer, inner, beside] = ['10.0.0.0/16', '10.0.255.0/24', '10.0.0.0/15'].map(parseCidr);
    if (!outer || !inner || !beside) throw new Error('malformed');
    expect(contains(outer, inner)).toBe(true);
    expect(contains(outer, beside)).toBe(false);
  });
});
