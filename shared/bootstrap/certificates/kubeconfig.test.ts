import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { generateAuthority } from './authority.ts';
import { testDependencies } from './fixtures.ts';
import { issueKubeconfig, leadsTo, renewalTime } from './kubeconfig.ts';

const dependencies = testDependencies();
const ca = await generateAuthority({ ...dependencies, algorithm: 'ECDSA-P256' });
const text = await issueKubeconfig(
  { clusterName: 'demo', server: 'https://lb.example.com:6443', ca, algorithm: 'ECDSA-P256' },
  dependencies,
);

describe('issueKubeconfig', () => {
  it('issues a kubeconfig that the Kubernetes client loads, with the names that Cluster API uses', () => {
    const config = new KubeConfig();
    config.loadFromString(text);

    expect(config.getCurrentContext()).toBe('demo-admin@demo');
    expect(config.getCurrentCluster()).toMatchObject({ name: 'demo', server: 'https://lb.example.com:6443' });
    expect(config.getCurrentUser()).toMatchObject({ name: 'demo-admin' });
    const caData = config.getCurrentCluster()?.caData ?? '';
    expect(Buffer.from(caData, 'base64').toString()).toBe(ca.certificatePem);
  });

  it('issues an administrator certificate of the CA for 365 days', () => {
    const config = new KubeConfig();
    config.loadFromString(text);
    const client = new X509Certificate(Buffer.from(config.getCurrentUser()?.certData ?? '', 'base64'));

    expect(client.subject.split('\n')).toEqual(['O=system:masters', 'CN=kubernetes-admin']);
    expect(client.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true);
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(client.validToDate.toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });
});

describe('renewalTime', () => {
  it("is halfway through the certificate's validity", () => {
    expect(renewalTime(text, 'secret team/demo-kubeconfig').toISOString()).toBe('2026-07-02T12:00:00.000Z');
  });

  it.each(['', 'a: [', 'apiVersion: v1'])('names the secret when it holds no kubeconfig: "%s"', (broken) => {
    expect(() => renewalTime(broken, 'secret team/demo-kubeconfig')).toThrow(
      /^secret team\/demo-kubeconfig: is not a kubeconfig/,
    );
  });
});

describe('leadsTo', () => {
  const server = 'https://lb.example.com:6443';
  it.each([
    { reason: 'the same server and authority', wanted: { server, ca: ca.certificatePem }, leads: true },
    { reason: 'another server', wanted: { server: 'https://b:6443', ca: ca.certificatePem }, leads: false },
    { reason: 'another authority', wanted: { server, ca: 'another' }, leads: false },
  ])('is $leads for $reason', ({ wanted, leads }) => {
    expect(leadsTo(text, wanted)).toBe(leads);
  });
});
