import type { LookupAddress, lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { guardedLookup } from './addresses.ts';

const answering = (...addresses: string[]): typeof lookup =>
  ((_host: string, _options: unknown, answer: (error: null, found: LookupAddress[]) => void) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never;

const look = (loopback: boolean, ...addresses: string[]): Promise<string> =>
  new Promise((resolve) => {
    guardedLookup({ loopback }, answering(...addresses))('evil.example.com', { all: true }, (error, found) =>
      resolve(error ? error.message : JSON.stringify(found)),
    );
  });

describe('a name that a tenant has chosen', () => {
  it.each(['127.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:169.254.169.254', 'fe80::1', '0.0.0.0'])(
    'is not connected to when it resolves to %s',
    async (address) => {
      expect(await look(false, address)).toContain('its name resolves to an address that is a');
    },
  );

  it('is not connected to when one of its addresses is refused', async () => {
    expect(await look(false, '203.0.113.9', '127.0.0.1')).toContain('is a loopback address');
  });

  it('is connected to at any other address, and on the laptop at loopback', async () => {
    expect(await look(false, '203.0.113.9')).toContain('203.0.113.9');
    expect(await look(true, '127.0.0.1')).toContain('127.0.0.1');
    expect(await look(true, '169.254.169.254')).toContain('metadata');
  });
});
