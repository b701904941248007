import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { Sha256 } from './sha256.ts';

const hex = async (hash: Sha256, text: string): Promise<string> => {
  hash.update(Buffer.from(text));
  return Buffer.from(await hash.digest()).toString('hex');
};

it('gives the digests of FIPS 180-2 and RFC 4231', async () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const jefe = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const hash = new Sha256();
  expect(await hex(hash, 'abc')).toBe(abc);
  hash.reset();
  expect(await hex(hash, 'abc')).toBe(abc);
  expect(await hex(new Sha256('Jefe'), 'what do ya want for nothing?')).toBe(jefe);
  expect(await hex(new Sha256(Buffer.from('Jefe')), 'what do ya want for nothing?')).toBe(jefe);
});

it('computes the HMAC of a key that is reused, or that is a part of a larger buffer', async () => {
  const buffer = new Uint8Array(64).map((_, index) => index);
  for (const key of [buffer.subarray(0, 32), buffer.subarray(32), buffer.subarray(0, 32)]) {
    const expected = createHmac('sha256', key).update('text').digest('hex');
    expect(await hex(new Sha256(key), 'text')).toBe(expected);
    expect(await hex(new Sha256(key), 'text')).toBe(expected);
  }
  const whole = new Uint8Array([1, 2, 3]).buffer;
  expect(await hex(new Sha256(whole), 'text')).toBe(
    createHmac('sha256', Buffer.from(whole)).update('text').digest('hex'),
  );
});
