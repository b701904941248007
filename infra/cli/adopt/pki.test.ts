import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { generateClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import { testDependencies } from '../../../shared/bootstrap/certificates/fixtures.ts';
import type { PemPair } from '../../../shared/bootstrap/certificates/keys.ts';
import { readPki } from './pki.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const options = { ...testDependencies('2026-01-01T00:00:00Z'), algorithm: 'ECDSA-P256' as const };
const { ca, etcd, proxy, sa } = await generateClusterCertificates(options);

const write = (file: string, content: string): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};

/** A directory with kubeadm's names. */
const makePki = (changes: Partial<Record<'ca' | 'sa', PemPair>> = {}): string => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-pki-'));
  const pairs = { ca, etcd, proxy, sa, ...changes };
  const names = { ca: 'ca.crt', etcd: 'etcd/ca.crt', proxy: 'front-proxy-ca.crt', sa: 'sa.pub' };
  for (const [purpose, name] of Object.entries(names)) {
    const pair = pairs[purpose as keyof typeof pairs];
    write(join(directory, name), pair.certificatePem);
    write(join(directory, name.replace(/\.\w+$/, '.key')), pair.privateKeyPem);
  }
  return directory;
};

it('reads complete pairs, and ignores a pair with a missing half', () => {
  const pki = makePki();
  rmSync(join(pki, 'etcd/ca.key'));
  expect(readPki({ pki, files: {} }, NOW)).toEqual({ ca, proxy, sa });
});

it.each([
  [
    'a key of another CA',
    { ca: { ...ca, privateKeyPem: etcd.privateKeyPem } },
    'ca.key: does not belong to PKI/ca.crt',
  ],
  [
    'a key of other tokens',
    { sa: { ...sa, privateKeyPem: ca.privateKeyPem } },
    'sa.key: does not belong to PKI/sa.pub',
  ],
  ['an empty certificate', { ca: { ...ca, certificatePem: '' } }, 'ca.crt: is not a PEM certificate'],
  ['a truncated key', { ca: { ...ca, privateKeyPem: ca.privateKeyPem.slice(0, 60) } }, 'ca.key: is not an unencrypted'],
])('refuses %s, and names the files', (_, changes, message) => {
  const pki = makePki(changes);
  expect(() => readPki({ pki, files: {} }, NOW)).toThrow(`${pki}/${message.replace('PKI', pki)}`);
});

it('names files that were passed as options', () => {
  const pki = makePki();
  const certificate = join(pki, 'ca.crt');
  const key = write(join(pki, 'other.key'), `secret ${ca.privateKeyPem.slice(40)}`);
  expect(() => readPki({ files: { ca: { certificate, key } } }, NOW)).toThrow(
    `${key}: is not an unencrypted PEM private key (PKCS#1, PKCS#8 or SEC1)`,
  );
});
