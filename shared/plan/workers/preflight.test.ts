import { describe, expect, it } from 'vitest';
import type { Cluster, MachineSet } from '../../kinds/index.ts';
import { type ControlPlaneVersions, preflight as preflightOf } from './preflight.ts';

const set = (version: string, skip = '', kind = 'KubeadmConfigTemplate'): MachineSet =>
  ({
    metadata: { name: 'ms', annotations: skip ? { 'machineset.cluster.x-k8s.io/skip-preflight-checks': skip } : {} },
    spec: { template: { spec: { version, bootstrap: { configRef: { kind } } } } },
  }) as unknown as MachineSet;

const controlPlane = (version: string, status: ControlPlaneVersions['status'] = { version }): ControlPlaneVersions => ({
  kind: 'KubeadmControlPlane',
  metadata: { namespace: 'default', name: 'demo' },
  spec: { version },
  status: { initialization: { controlPlaneInitialized: true }, ...status },
});

const plain = { metadata: { name: 'demo' }, spec: {} } as Cluster;
const preflight = (of: MachineSet, found: ControlPlaneVersions | null, cluster = plain) =>
  preflightOf(of, { cluster, controlPlane: found });

const checks = (problems: readonly string[]) => problems.map((problem) => /"(\w+)" preflight/.exec(problem)?.[1]);

describe('preflight', () => {
  it.each([
    { reason: 'the same version', is: 'v1.34.1', of: 'v1.34.1', fails: [] },
    { reason: 'another patch', is: 'v1.34.0', of: 'v1.34.9', fails: [] },
    { reason: 'a minor behind', is: 'v1.33.0', of: 'v1.34.0', fails: ['KubeadmVersionSkew'] },
    { reason: 'a minor behind without kubeadm', is: 'v1.33.0', of: 'v1.34.0', kind: 'RKE2ConfigTemplate', fails: [] },
    { reason: 'a minor ahead', is: 'v1.35.0', of: 'v1.34.0', fails: ['KubernetesVersionSkew', 'KubeadmVersionSkew'] },
    {
      reason: 'four minors behind',
      is: 'v1.30.0',
      of: 'v1.34.0',
      fails: ['KubernetesVersionSkew', 'KubeadmVersionSkew'],
    },
    { reason: 'a short version', is: 'v1.34', of: 'v1.34.2', fails: [] },
    { reason: 'a short version of a minor behind', is: 'v1.33', of: 'v1.34', fails: ['KubeadmVersionSkew'] },
    { reason: 'a skipped check', is: 'v1.33.0', of: 'v1.34.0', skip: 'KubeadmVersionSkew', fails: [] },
    { reason: 'all checks skipped', is: 'v1.35.0', of: 'v1.34.0', skip: 'Other, All', fails: [] },
  ])('of a set with $reason fails in $fails', ({ is, of, fails, skip, kind }) => {
    expect(checks(preflight(set(is, skip, kind), controlPlane(of)))).toEqual(fails);
  });

  const referring = (kind: string, controlPlaneInitialized: boolean): Cluster =>
    ({
      metadata: { namespace: 'default', name: 'demo' },
      spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind, name: 'demo' } },
      status: { initialization: { controlPlaneInitialized } },
    }) as Cluster;

  it('waits for the control plane to which an initialized cluster refers, and reports an unknown kind', () => {
    const missing = 'KubeadmControlPlane default/demo does not exist';
    expect(preflight(set('v1.34.0'), null, referring('KubeadmControlPlane', true))).toEqual([missing]);
    expect(preflight(set('v1.34.0'), null, referring('KubeadmControlplane', true))).toEqual([
      expect.stringContaining('kind "KubeadmControlplane"'),
    ]);
  });

  it.each([
    ['before the cluster is initialized', set('v1.34.0'), referring('KubeadmControlPlane', false)],
    ['without a reference', set('v1.34.0'), plain],
    ['if all checks are skipped', set('v1.34.0', 'All'), referring('KubeadmControlPlane', true)],
  ])('does not wait for a missing control plane %s', (_, of, cluster) => {
    expect(preflight(of, null, cluster)).toEqual([]);
  });

  it('waits for a control plane that is being upgraded', () => {
    const upgrading = controlPlane('v1.34.0', { version: 'v1.33.0', versions: [{ version: 'v1.33.0' }] });

    expect(preflight(set('v1.34.0'), upgrading)).toEqual([
      'KubeadmControlPlane default/demo is upgrading ("ControlPlaneIsStable" preflight check failed)',
    ]);
  });

  const PROVISIONING = ['KubeadmControlPlane default/demo is provisioning'];
  const UPGRADING = ['KubeadmControlPlane default/demo is upgrading'];
  it.each([
    { reason: 'no version', status: { version: '' }, says: PROVISIONING },
    { reason: 'only status.versions', status: { versions: [{ version: 'v1.34.0' }] }, says: [] },
    { reason: 'an older version in status.versions', status: { versions: [{ version: 'v1.33.9' }] }, says: UPGRADING },
    {
      reason: 'status.version and status.versions',
      status: { version: 'v1.33.0', versions: [{ version: 'v1.34.0' }] },
      says: [],
    },
    { reason: 'a short version', status: { version: 'v1.34' }, says: [] },
    { reason: 'a newer version', status: { version: 'v1.34.2' }, says: [] },
    { reason: 'an invalid version', status: { version: 'latest' }, says: UPGRADING },
    { reason: 'another build', status: { version: 'v1.34.0+a' }, of: 'v1.34.0+b', says: UPGRADING },
  ])('of a control plane that reports $reason says $says', ({ status, of = 'v1.34.0', says }) => {
    const found = preflight(set('v1.34.0'), controlPlane(of, status));
    expect(found).toEqual(says.map((line) => `${line} ("ControlPlaneIsStable" preflight check failed)`));
  });

  const topology = (version: string, step = '') =>
    ({
      metadata: { name: 'demo', annotations: step ? { 'topology.internal.cluster.x-k8s.io/upgrade-step': step } : {} },
      spec: { topology: { version } },
    }) as unknown as Cluster;
  const PENDING =
    'KubeadmControlPlane default/demo has a pending version upgrade to v1.35.0 ("ControlPlaneIsStable" preflight check failed)';
  const OTHER =
    'MachineSet version (v1.33.0) is not yet the same as the ControlPlane version (v1.34.0), waiting for version to be propagated to the MachineSet ("ControlPlaneVersionSkew" preflight check failed)';
  it.each([
    { reason: 'of the same version', of: topology('v1.34.0'), says: [] },
    { reason: 'with a newer version', of: topology('v1.35.0'), says: [PENDING] },
    { reason: 'that is being upgraded through this version', of: topology('v1.36.0', 'v1.34.0'), says: [] },
    { reason: 'whose next step is newer', of: topology('v1.36.0', 'v1.35.0'), says: [PENDING] },
    { reason: 'with a set of an older version', of: topology('v1.34.0'), is: 'v1.33.0', says: [OTHER] },
  ])('for a topology $reason reports $says', ({ of, is = 'v1.34.0', says }) => {
    expect(preflight(set(is, 'KubeadmVersionSkew'), controlPlane('v1.34.0'), of)).toEqual(says);
  });

  it('reports that a template gives no name for machines, even if checks are skipped and there is no control plane', () => {
    const named = set('v1.34.0', 'All');
    named.spec.machineNaming = {
      template: '{{ if eq .machineSet.name "machineset" }}a{{ else }}B{{ end }}-{{ .random }}',
    };
    named.spec.clusterName = 'demo';
    expect(preflight(named, null)).toEqual([
      expect.stringMatching(/^failed to generate Machine name: the name "B-\w{5}" is not valid: a lowercase RFC 1123/),
    ]);
  });

  it('checks nothing before the control plane is initialized, or without one', () => {
    const first = controlPlane('v1.34.0', { initialization: { controlPlaneInitialized: false } });

    expect(preflight(set('v1.35.0'), first)).toEqual([]);
    expect(preflight(set('v1.35.0'), null)).toEqual([]);
  });
});
