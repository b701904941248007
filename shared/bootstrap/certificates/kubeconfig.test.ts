import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { generateAuthority } from './authority.ts';
import { testDependencies } from './fixtures.ts';
import { issueKubeconfig, needsRenewal } from './kubeconfig.ts';

const dependencies = testDependencies();
const ca = await generateAuthority({ ...dependencies, algorithm: 'ECDSA-P256' });
const text = await issueKubeconfig(
  { clusterName: 'demo', server: 'https://lb.example.com:6443', ca, algorithm: 'ECDSA-P256' },
  dependencies,
);

describe('issueKubeconfig', () => {
  it('loads in the Kubernetes client with the names of Cluster API', () => {
    const config = new KubeConfig();
    config.loadFromString(text);

    expect(config.getCurrentContext()).toBe('demo-admin@demo');
    expect(config.getCurrentCluster()).toMatchObject({ name: 'demo', server: 'https://lb.example.com:6443' });
    expect(config.getCurrentUser()).toMatchObject({ name: 'demo-admin' });
    const caData = config.getCurrentCluster()?.caData ?? '';
    expect(Buffer.from(caData, 'base64').toString()).toBe(ca.certificatePem);
  });

  it('holds an administrator certificate of the CA for 365 days', () => {
    const config = new KubeConfig();
    config.loadFromString(text);
    const client = new X509Certificate(Buffer.from(config.getCurrentUser()?.certData ?? '', 'base64'));

    expect(client.subject.split('\n')).toEqual(['O=system:masters', 'CN=kubernetes-admin']);
    expect(client.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true);
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(client.validToDate.toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });
});

describe('needsRenewal', () => {
  it.each([
    { now: '2026-07-02T11:00:00Z', due: false, reason: 'more than 182.5 days are left' },
    { now: '2026-07-02T13:00:00Z', due: true, reason: 'less than 182.5 days are left' },
  ])('is $due when $reason', ({ now, due }) => {
    expect(needsRenewal(text, new Date(now), 'secret team/demo-kubeconfig')).toBe(due);
  });

  it.each(['', 'a: [', 'apiVersion: v1'])('names the secret when it holds no kubeconfig: "%s"', (broken) => {
    expect(() => needsRenewal(broken, new Date(), 'secret team/demo-kubeconfig')).toThrow(
      /^secret team\/demo-kubeconfig: is no kubeconfig/,
    );
  });
});
