import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { knownHostKey } from './known-hosts.ts';

const hashed = (name: string): string => {
  const salt = Buffer.from('a salt of 20 letters');
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
};

describe('known_hosts', () => {
  const text = [
    '# a comment',
    '10.0.0.1,web ssh-rsa RSA of-the-host',
    '10.0.0.1 ssh-ed25519 ED25519',
    '[10.0.0.1]:2222 ssh-ed25519 OTHER',
    `${hashed('10.0.0.2')} ecdsa-sha2-nistp256 HASHED`,
    '@revoked 10.0.0.3 ssh-ed25519 REVOKED',
    '@cert-authority 10.0.0.3 ssh-ed25519 AUTHORITY',
    '10.0.0.3 ssh-unknown UNKNOWN',
    '* ssh-ed25519 ANY',
    '10.0.0.4 ssh-ed25519',
  ].join('\r\n');

  it.each([
    ['10.0.0.1', 22, 'ssh-ed25519 ED25519'],
    ['10.0.0.1', 2222, 'ssh-ed25519 OTHER'],
    ['web', 22, 'ssh-rsa RSA'],
    ['10.0.0.2', 22, 'ecdsa-sha2-nistp256 HASHED'],
    ['10.0.0.3', 22, undefined],
    ['10.0.0.4', 22, undefined],
    ['10.0.0.5', 22, undefined],
  ])('lists for %s at port %d the key %s', (address, port, key) => {
    expect(knownHostKey(text, address, port)).toBe(key);
  });
});
