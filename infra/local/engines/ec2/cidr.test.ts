import { expect, it } from 'vitest';
import { contains, formatAddress, formatCidr, overlaps, parseAddress, parseCidr, sizeOf } from './cidr.ts';

const cidr = (text: string) => {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`${text} is no CIDR block`);
  return parsed;
};

it('reads networks and clears their host bits', () => {
  expect(formatCidr(cidr('10.0.0.0/16'))).toBe('10.0.0.0/16');
  expect(formatCidr(cidr('100.68.0.18/18'))).toBe('100.68.0.0/18');
  expect(formatCidr(cidr('255.255.255.255/32'))).toBe('255.255.255.255/32');
  expect(formatCidr(cidr('1.2.3.4/0'))).toBe('0.0.0.0/0');
});

it.each([
  '',
  '10.0.0.0',
  '10.0.0/16',
  '10.0.0.256/16',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/16/1',
  'a.b.c.d/8',
  '::/0',
])('refuses %j', (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

it('knows which networks lie in which and which share addresses', () => {
  expect(contains(cidr('10.0.0.0/16'), cidr('10.0.255.0/24'))).toBe(true);
  expect(contains(cidr('10.0.0.0/16'), cidr('10.1.0.0/24'))).toBe(false);
  expect(contains(cidr('10.0.0.0/24'), cidr('10.0.0.0/16'))).toBe(false);
  expect(overlaps(cidr('10.0.0.0/24'), cidr('10.0.0.0/16'))).toBe(true);
  expect(overlaps(cidr('10.0.0.0/24'), cidr('10.0.1.0/24'))).toBe(false);
});

it('counts and names addresses', () => {
  expect(sizeOf(cidr('10.0.0.0/28'))).toBe(16);
  expect(formatAddress(parseAddress('192.168.255.1') ?? 0)).toBe('192.168.255.1');
});
