import { Buffer } from 'node:buffer';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BootstrapInvalidError } from '../invalid.ts';
import { type ClusterCertificates, generateAuthority, generateClusterCertificates } from './authority.ts';
import { testDependencies } from './fixtures.ts';
import { issueCertificate } from './issue.ts';
import { fromSecret, type SecretObject, toBootstrapDataSecret, toSecret } from './secrets.ts';

const options = { ...testDependencies('2026-01-01T00:00:00Z'), algorithm: 'ECDSA-P256' as const };
const now = new Date('2026-06-01T00:00:00Z');
const certificates: ClusterCertificates = await generateClusterCertificates(options);

const secret = (data: Record<string, string | undefined>): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'demo-ca', namespace: 'team' },
  data: Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value ?? '').toString('base64')]),
  ),
});

describe('toSecret', () => {
  it('builds the secret that Cluster API stores, and fromSecret reads it back unchanged', () => {
    const made = toSecret('demo', 'team', 'ca', certificates.ca);

    expect(made).toMatchObject({
      metadata: { name: 'demo-ca', namespace: 'team', labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } },
      type: 'cluster.x-k8s.io/secret',
    });
    expect(fromSecret(made, { purpose: 'ca', now })).toEqual(certificates.ca);
    expect(fromSecret(toSecret('demo', 'team', 'sa', certificates.sa), { purpose: 'sa', now })).toEqual(
      certificates.sa,
    );
  });
});

describe('toBootstrapDataSecret', () => {
  it('stores the document and its format under the keys that infrastructure providers read', () => {
    const made = toBootstrapDataSecret('demo', 'team', 'demo-1', { body: '#cloud-config\n', format: 'cloud-config' });

    expect(made.metadata).toMatchObject({ name: 'demo-1', labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } });
    expect(made.data).toEqual({ value: 'I2Nsb3VkLWNvbmZpZwo=', format: 'Y2xvdWQtY29uZmln' });
  });
});

describe('fromSecret', () => {
  it("accepts a user's PKCS #8 key unchanged", () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pair = {
      certificatePem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    };

    expect(fromSecret(toSecret('demo', 'team', 'sa', pair), { purpose: 'sa', now })).toEqual(pair);
  });

  it('requires no CA key for an external etcd, and drops one that is there', () => {
    const { certificatePem } = certificates.etcd;

    const read = fromSecret(toSecret('demo', 'team', 'etcd', certificates.etcd), {
      purpose: 'etcd',
      now,
      external: true,
    });

    expect(read).toEqual({ certificatePem, privateKeyPem: '' });
  });

  it('accepts a client certificate for etcd that is not a CA', async () => {
    const request = { commonName: 'etcd-client', usages: ['client' as const], algorithm: 'ECDSA-P256' as const };
    const client = await issueCertificate(certificates.etcd, request, testDependencies());
    const kept = toSecret('demo', 'team', 'apiserver-etcd-client', client);

    expect(fromSecret(kept, { purpose: 'apiserver-etcd-client', now })).toEqual(client);
    expect(() => fromSecret(toSecret('demo', 'team', 'ca', client), { purpose: 'ca', now })).toThrow(/not a CA/);
  });

  const { certificatePem: crt, privateKeyPem: key } = certificates.ca;
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  it.each([
    { reason: 'no certificate', data: { 'tls.key': key }, says: /team\/demo-ca key tls\.crt: is missing/ },
    { reason: 'no key', data: { 'tls.crt': crt }, says: /team\/demo-ca key tls\.key: is missing/ },
    {
      reason: 'a certificate that is not PEM',
      data: { 'tls.crt': 'hello', 'tls.key': key },
      says: /key tls\.crt: is not a PEM certificate/,
    },
    {
      reason: 'a broken key',
      data: { 'tls.crt': crt, 'tls.key': 'hello' },
      says: /key tls\.key: is not an unencrypted/,
    },
    {
      reason: 'ed25519',
      data: { 'tls.crt': crt, 'tls.key': ed25519 },
      says: /key tls\.key: is a ed25519 key; use RSA/,
    },
    {
      reason: 'the key of another certificate',
      data: { 'tls.crt': crt, 'tls.key': certificates.proxy.privateKeyPem },
      says: /key tls\.key: does not belong to tls\.crt/,
    },
  ])('names the secret and the key: $reason', ({ data, says }) => {
    const read = () => fromSecret(secret(data), { purpose: 'ca', now });

    expect(read).toThrow(BootstrapInvalidError);
    expect(read).toThrow(says);
  });

  it('refuses an expired CA and reports the time of its expiry', async () => {
    const old = toSecret('demo', 'team', 'ca', await generateAuthority({ ...options, days: 10 }));

    expect(() => fromSecret(old, { purpose: 'ca', now })).toThrow(/expired at 2026-01-11T00:00:00/);
  });
});
