import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressAt,
  blockAt,
  blocksIn,
  canonicalCidr,
  cidrOf,
  contains,
  formatCidr,
  overlaps,
  parseCidr,
  sizeOf,
} from './cidr.ts';

describe('parseCidr', () => {
  it.each([
    { cidr: '10.0.0.0/16', first: 0x0a000000n, size: 0x10000n },
    { cidr: '10.0.3.7/16', first: 0x0a000000n, size: 0x10000n },
    { cidr: '0.0.0.0/0', first: 0n, size: 1n << 32n },
    { cidr: '192.168.1.1/32', first: 0xc0a80101n, size: 1n },
    { cidr: '255.255.255.255/32', first: 0xffffffffn, size: 1n },
    { cidr: '::/0', first: 0n, size: 1n << 128n },
    { cidr: 'fd00::1:0/112', first: (0xfd00n << 112n) | 0x10000n, size: 0x10000n },
    { cidr: '::ffff:10.0.0.0/128', first: 0xffff0a000000n, size: 1n },
    { cidr: '1:2:3:4:5:6:7:8/128', first: 0x00010002000300040005000600070008n, size: 1n },
  ])('reads $cidr', ({ cidr, first, size }) => {
    expect(parseCidr(cidr)?.first).toBe(first);
    expect(sizeOf(cidrOf(cidr))).toBe(size);
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0/16',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/16/1',
    '10.0.0.256/8',
    'a.b.c.d/8',
    'fe80::1%eth0/64',
    '1::2::3/64',
    '::/129',
    '/16',
  ])('refuses %j', (cidr) => {
    expect(parseCidr(cidr)).toBeUndefined();
    expect(() => cidrOf(cidr)).toThrow(`"${cidr}" is not an IP block`);
    expect(canonicalCidr(cidr)).toBe(cidr);
  });

  it('refuses a block of the other family if one is required', () => {
    expect(parseCidr('10.0.0.0/8', 6)).toBeUndefined();
    expect(parseCidr('::/8', 4)).toBeUndefined();
    expect(parseCidr('::/8', 6)).toBeDefined();
  });
});

describe('formatCidr', () => {
  it('clears host bits and writes IPv6 as in RFC 5952', () => {
    expect(canonicalCidr('100.68.0.18/18')).toBe('100.68.0.0/18');
    expect(canonicalCidr('1.2.3.4/0')).toBe('0.0.0.0/0');
    expect(canonicalCidr('2001:DB8:0:0:1:0:0:1/128')).toBe('2001:db8::1:0:0:1/128');
    expect(canonicalCidr('2001:db8:0:1:1:1:1:1/128')).toBe('2001:db8:0:1:1:1:1:1/128');
    expect(canonicalCidr('0:0:0:0:0:0:0:0/0')).toBe('::/0');
  });

  it('writes every IPv6 address as the URL parser does', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, (numbers) => {
        const text = numbers.map((number) => number.toString(16)).join(':');
        expect(canonicalCidr(`${text}/128`)).toBe(`${new URL(`http://[${text}]`).hostname.slice(1, -1)}/128`);
      }),
    );
  });
});

describe('blocks', () => {
  it('contain and overlap other blocks of their own family only', () => {
    const [wide, inside, beside] = ['10.0.0.0/16', '10.0.255.0/24', '10.1.0.0/24'].map((text) => cidrOf(text));
    const ipv6 = cidrOf('::/0');
    if (!wide || !inside || !beside) throw new Error('malformed');
    expect([contains(wide, inside), contains(wide, beside), contains(inside, wide)]).toEqual([true, false, false]);
    expect([overlaps(inside, wide), overlaps(inside, beside), overlaps(wide, ipv6)]).toEqual([true, false, false]);
    expect(contains(ipv6, wide)).toBe(false);
  });

  it('can be divided into smaller blocks', () => {
    const outer = cidrOf('2001:db8:0:ff00::/56', 6);
    expect(blocksIn(outer, 64)).toBe(256);
    expect(blocksIn(outer, 48)).toBe(0);
    expect(formatCidr(blockAt(outer, 64, 255))).toBe('2001:db8:0:ffff::/64');
    expect(formatCidr(blockAt(cidrOf('10.0.0.0/16'), 18, 3))).toBe('10.0.192.0/18');
    expect(addressAt(cidrOf('192.168.255.0/24'), 1)).toBe('192.168.255.1');
  });
});
