import { describe, expect, it } from 'vitest';
import { clusterConfiguration } from '../../bootstrap/kubeadm/cluster-configuration.ts';
import { toYaml } from '../../bootstrap/kubeadm/document.ts';
import { certificatesExpiry } from '../../distributions/kubeadm/certificates-expiry.ts';
import { kubeadm } from '../../distributions/kubeadm/distribution.ts';
import type { AWSMachine, KubeadmConfig, KubeadmControlPlane, Machine } from '../../kinds/index.ts';
import { certificatesExpiryDate, withCertificatesExpiry } from './certificates-expiry.ts';
import { certificatesDueAt, outdatedReasons } from './up-to-date.ts';

const EXPIRY = 'machine.cluster.x-k8s.io/certificates-expiry';
const DECIDED = '2026-01-01T00:10:00Z';
const config = (spec: object = {}, annotations = {}) =>
  ({ kind: 'KubeadmConfig', metadata: { name: 'm', annotations }, spec }) as KubeadmConfig;
const instance = (annotations: Record<string, string>) =>
  ({ kind: 'AWSMachine', metadata: { name: 'm', annotations } }) as AWSMachine;
const stored = (version: string, certificateValidityPeriodDays?: number): string =>
  toYaml(
    clusterConfiguration(
      { name: 'c', endpoint: { host: 'h', port: 1 }, podCidrs: [], serviceCidrs: [], dnsDomain: 'd', version },
      certificateValidityPeriodDays ? { certificateValidityPeriodDays } : {},
      undefined,
    ),
  );

describe('certificatesExpiry', () => {
  it.each([
    { reason: "kubeadm's configuration sets no period", text: stored('v1.34.0'), expiry: '2027-01-01T00:05:00.000Z' },
    { reason: 'the days are set', text: stored('v1.34.0', 90), expiry: '2026-04-01T00:05:00.000Z' },
    {
      reason: 'the version of kubeadm does not support the days',
      text: stored('v1.30.0', 90),
      expiry: '2027-01-01T00:05:00.000Z',
    },
    { reason: 'the text was not written by Windlass', text: 'certificateValidityPeriod: soon', expiry: undefined },
    { reason: 'there is no text', text: '', expiry: undefined },
  ])('is $expiry when $reason', ({ text, expiry }) => {
    const facts = { config: config(), decidedAt: DECIDED, stored: { ClusterConfiguration: text } };
    expect(certificatesExpiry(facts)?.toISOString()).toBe(expiry);
  });

  it.each([
    {
      reason: 'the user provides the certificate',
      with: config({ files: [{ path: '/etc/kubernetes/pki/apiserver.crt' }] }),
    },
    {
      reason: 'the user provides it in another directory',
      with: config({ clusterConfiguration: { certificatesDir: '/pki' }, files: [{ path: '/pki//apiserver.crt' }] }),
    },
    { reason: 'the time of the launch is not known', with: config(), decidedAt: '' },
  ])('is not known when $reason', ({ with: of, decidedAt = DECIDED }) => {
    const kept = { ClusterConfiguration: stored('v1.34.0') };
    expect(certificatesExpiry({ config: of, decidedAt, stored: kept })).toBeUndefined();
  });
});

const machine = (over: { annotations?: Record<string, string>; expiry?: string; labels?: object } = {}) =>
  ({
    kind: 'Machine',
    metadata: {
      name: 'm',
      labels: over.labels ?? { 'cluster.x-k8s.io/control-plane': '' },
      annotations: over.annotations,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { version: 'v1.34.0' },
    status: { certificatesExpiryDate: over.expiry },
  }) as unknown as Machine;

describe('certificatesExpiryDate', () => {
  const dated = config({}, { [EXPIRY]: '2026-04-01T02:00:00+02:00' });
  it.each([
    { reason: 'the date of the configuration', of: machine(), date: '2026-04-01T00:00:00Z' },
    {
      reason: "the date of the machine's own annotation, if it has one",
      of: machine({ annotations: { [EXPIRY]: '2026-03-01T00:00:00Z' } }),
      date: '2026-03-01T00:00:00Z',
    },
    {
      reason: 'undefined for an invalid time',
      of: machine({ annotations: { [EXPIRY]: 'soon' } }),
      date: undefined,
    },
    { reason: 'undefined for a worker', of: machine({ labels: {} }), date: undefined },
  ])('is $reason', ({ of, date }) => {
    expect(certificatesExpiryDate(of, dated)).toBe(date);
  });

  it('is recorded once, and a user’s value is kept', () => {
    const written = withCertificatesExpiry(config(), new Date('2026-04-01T00:00:00Z'));
    expect(written?.metadata.annotations).toEqual({ [EXPIRY]: '2026-04-01T00:00:00Z' });
    expect(withCertificatesExpiry(dated, new Date())).toBeUndefined();
  });
});

const controlPlane = (spec: object = {}) =>
  ({
    metadata: { name: 'kcp' },
    spec: { version: 'v1.34.0', machineTemplate: { spec: { infrastructureRef: { name: 't' } } }, ...spec },
  }) as unknown as KubeadmControlPlane;
const before = { rollout: { before: { certificatesExpiryDays: 30 } } };
const expiring = machine({ expiry: '2026-03-31T00:00:00Z' });

describe('outdatedReasons', () => {
  const clone = instance({ 'cluster.x-k8s.io/cloned-from-name': 't' });
  const cases = [
    { reason: 'nothing differs', of: controlPlane(), at: expiring, reasons: [] },
    {
      reason: 'certificates are not due',
      of: controlPlane(before),
      at: expiring,
      now: '2026-03-01T00:00:00Z',
      reasons: [],
    },
    {
      reason: 'certificates expire within the days',
      of: controlPlane(before),
      at: expiring,
      now: '2026-03-01T00:00:01Z',
      reasons: ['Certificates will expire soon'],
    },
    { reason: 'the expiry is unknown', of: controlPlane(before), at: machine(), reasons: [] },
    {
      reason: 'the machine was created before the date of a rollout',
      of: controlPlane({ rollout: { after: '2026-01-02T00:00:00Z' } }),
      at: machine(),
      reasons: ['KubeadmControlPlane spec.rolloutAfter expired'],
    },
    {
      reason: 'the date of a rollout is in the future',
      of: controlPlane({ rollout: { after: '2030-01-02T00:00:00Z' } }),
      at: machine(),
      reasons: [],
    },
    {
      reason: 'everything differs',
      of: controlPlane({
        version: 'v1.35.0',
        machineTemplate: { spec: { infrastructureRef: { name: 'u' } } },
        kubeadmConfigSpec: { verbosity: 4 },
      }),
      at: machine(),
      reasons: ['Version v1.34.0, v1.35.0 required', 'KubeadmConfig is not up-to-date', 'AWSMachine is not up-to-date'],
    },
  ];
  it.each(cases)('$reason: $reasons', ({ of, at, now = '2026-06-01T00:00:00Z', reasons }) => {
    const facts = { distribution: kubeadm, controlPlane: of, machine: at, config: config(), infrastructure: clone };
    expect(outdatedReasons(facts, new Date(now))).toEqual(reasons);
  });
});

describe('certificatesDueAt', () => {
  it('is the configured number of days before the expiry', () => {
    const due = certificatesDueAt(kubeadm.rolloutDates(controlPlane(before)), expiring);
    expect(due?.toISOString()).toBe('2026-03-01T00:00:00.000Z');
  });

  it('is undefined without a number of days', () => {
    expect(certificatesDueAt(kubeadm.rolloutDates(controlPlane()), expiring)).toBeUndefined();
  });
});
