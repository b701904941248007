import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, createSign, createVerify, X509Certificate } from 'node:crypto';
import { BasicConstraintsExtension, X509Certificate as Decoded, KeyUsagesExtension } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import type { EncryptionAlgorithm } from './algorithms.ts';
import { generateAuthority, generateClusterCertificates } from './authority.ts';
import { testDependencies } from './fixtures.ts';
import { issueCertificate } from './issue.ts';
import { webCryptoKeys } from './keys.ts';
import { publicKeyHash, publicKeyHashes } from './public-key-hash.ts';

const dependencies = testDependencies('2026-01-01T00:00:00Z');
const ecdsa = { ...dependencies, algorithm: 'ECDSA-P256' as const };

describe('generateAuthority', () => {
  const algorithms: { algorithm: EncryptionAlgorithm; header: string; details: object }[] = [
    { algorithm: 'RSA-2048', header: 'RSA PRIVATE KEY', details: { modulusLength: 2048 } },
    { algorithm: 'RSA-3072', header: 'RSA PRIVATE KEY', details: { modulusLength: 3072 } },
    { algorithm: 'ECDSA-P256', header: 'EC PRIVATE KEY', details: { namedCurve: 'prime256v1' } },
    { algorithm: 'ECDSA-P384', header: 'EC PRIVATE KEY', details: { namedCurve: 'secp384r1' } },
  ];
  it.each(algorithms)('makes a self-signed CA with a key of $algorithm', async ({ algorithm, header, details }) => {
    const pair = await generateAuthority({ ...dependencies, algorithm });
    const certificate = new X509Certificate(pair.certificatePem);

    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(pair.privateKeyPem))).toBe(true);
    expect(pair.privateKeyPem).toContain(`BEGIN ${header}`);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject(details);
  });

  it('names the CA kubernetes, and makes it valid for ten years from five minutes ago', async () => {
    const { certificatePem } = await generateAuthority(ecdsa);
    const certificate = new X509Certificate(certificatePem);

    expect(certificate.subject).toBe('CN=kubernetes');
    expect(certificate.ca).toBe(true);
    expect(certificate.validFromDate.toISOString()).toBe('2025-12-31T23:55:00.000Z');
    expect(certificate.validToDate.toISOString()).toBe('2035-12-30T00:00:00.000Z');
    // digitalSignature 1, keyEncipherment 4, keyCertSign 32
    expect(new Decoded(certificatePem).getExtension(KeyUsagesExtension)?.usages).toBe(37);
  });

  it('makes a CA that cannot issue certificates for other CAs', async () => {
    const { certificatePem } = await generateAuthority(ecdsa);
    const constraints = new Decoded(certificatePem).getExtension(BasicConstraintsExtension);
    expect(constraints).toMatchObject({ ca: true, pathLength: 0, critical: true });
  });

  it('takes the validity in days', async () => {
    const { certificatePem } = await generateAuthority({ ...ecdsa, days: 30 });

    expect(new X509Certificate(certificatePem).validToDate.toISOString()).toBe('2026-01-31T00:00:00.000Z');
  });

  it('refuses an algorithm that kubeadm does not know', async () => {
    const algorithm = 'DSA-1024' as EncryptionAlgorithm;

    await expect(generateAuthority({ ...ecdsa, algorithm })).rejects.toThrow(/encryptionAlgorithm.*DSA-1024/);
  });
});

describe('webCryptoKeys', () => {
  it('generate keys without blocking the event loop', async () => {
    let [turns, isMade] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isMade) setImmediate(count);
    };
    setImmediate(count);
    await webCryptoKeys.generate('RSA-2048');
    isMade = true;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('generateClusterCertificates', () => {
  it('makes three different CAs and a key pair for service account tokens', async () => {
    const { ca, etcd, proxy, sa } = await generateClusterCertificates(dependencies);

    expect(new Set([ca, etcd, proxy].map((pair) => publicKeyHash(pair.certificatePem))).size).toBe(3);
    expect(sa.certificatePem).toContain('BEGIN PUBLIC KEY');
    const signature = createSign('sha256').update('token').sign(sa.privateKeyPem);
    expect(createVerify('sha256').update('token').verify(createPublicKey(sa.certificatePem), signature)).toBe(true);
  });
});

describe('issueCertificate', () => {
  it.each(['RSA-2048', 'ECDSA-P384'] as const)(
    'issues a certificate that chains to a CA with a key of %s',
    async (algorithm) => {
      const ca = await generateAuthority({ ...ecdsa, algorithm });

      const issued = await issueCertificate(
        ca,
        {
          commonName: 'kube-apiserver',
          organizations: ['a', 'b'],
          usages: ['server', 'client'],
          sans: ['kubernetes.default.svc', '10.96.0.1', 'fd00::1'],
          days: 10,
          algorithm: 'ECDSA-P256',
        },
        dependencies,
      );
      const certificate = new X509Certificate(issued.certificatePem);

      expect(certificate.checkIssued(new X509Certificate(ca.certificatePem))).toBe(true);
      expect(certificate.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true);
      expect(certificate.checkPrivateKey(createPrivateKey(issued.privateKeyPem))).toBe(true);
      expect(certificate.ca).toBe(false);
      expect(certificate.subject.split('\n')).toEqual(['O=a + O=b', 'CN=kube-apiserver']);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
      expect(certificate.checkHost('kubernetes.default.svc')).toBeDefined();
      expect(certificate.checkIP('10.96.0.1')).toBe('10.96.0.1');
      expect(certificate.checkIP('fd00::1')).toBe('fd00::1');
      expect(certificate.validToDate.toISOString()).toBe('2026-01-11T00:00:00.000Z');
    },
  );

  it.each([
    { byte: 0xff, serial: '7FFFFFFFFFFFFFFF', reason: 'not negative' },
    { byte: 0, serial: '4000000000000000', reason: 'not zero' },
  ])('derives a serial number from the random source that is $reason', async ({ byte, serial }) => {
    const ca = await generateAuthority(ecdsa);
    const random = { bytes: (length: number) => new Uint8Array(length).fill(byte), uuid: () => '' };

    const request = { commonName: 'x', usages: ['client' as const], algorithm: 'ECDSA-P256' as const };
    const issued = await issueCertificate(ca, request, { ...dependencies, random });

    expect(new X509Certificate(issued.certificatePem).serialNumber).toBe(serial);
  });
});

describe('publicKeyHash', () => {
  it('hashes the SubjectPublicKeyInfo of each certificate of a bundle', async () => {
    const [one, two] = await Promise.all([generateAuthority(ecdsa), generateAuthority(ecdsa)]);

    const hashes = publicKeyHashes(`leading text\n${one.certificatePem}${two.certificatePem}`);

    const spki = createPublicKey(one.certificatePem).export({ format: 'der', type: 'spki' });
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(spki))).toString('hex');
    expect(hashes).toEqual([`sha256:${digest}`, publicKeyHash(two.certificatePem)]);
  });

  it('reports a missing certificate', () => {
    expect(() => publicKeyHash('nothing')).toThrow(/no CERTIFICATE block/);
  });
});
