import { describe, expect, it } from 'vitest';
import { guardedLookup, type Resolve } from './addresses.ts';

const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const look = (loopback: boolean, ...addresses: string[]): Promise<string> =>
  new Promise((resolve) => {
    guardedLookup({ loopback }, answering(...addresses))('evil.example.com', { all: true }, (error, found) =>
      resolve(error ? error.message : JSON.stringify(found)),
    );
  });

describe('a name that a tenant has chosen', () => {
  it.each(['127.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:169.254.169.254', 'fe80::1', '0.0.0.0'])(
    'is not used for a connection if it resolves to %s',
    async (address) => {
      expect(await look(false, address)).toContain('its name resolves to an address that is a');
    },
  );

  it('is not used for a connection if one of its addresses is refused', async () => {
    expect(await look(false, '203.0.113.9', '127.0.0.1')).toContain('is a loopback address');
  });

  it('is reported with the reason why no connection is possible', async () => {
    expect(await look(false)).toBe('its name has no address');
    const failing: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const error = await new Promise((resolve) => {
      guardedLookup({ loopback: false }, failing)('evil.example.com', { all: true }, resolve);
    });
    expect(error).toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is used for a connection to any other address, and to loopback on the laptop', async () => {
    expect(await look(false, '203.0.113.9')).toContain('203.0.113.9');
    expect(await look(true, '127.0.0.1')).toContain('127.0.0.1');
    expect(await look(true, '169.254.169.254')).toContain('metadata');
  });
});
