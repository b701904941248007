import { describe, expect, it } from 'vitest';
import type { MachineSet } from '../../kinds/index.ts';
import { type ControlPlaneVersions, preflight } from './preflight.ts';

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
    { reason: 'a skipped check', is: 'v1.33.0', of: 'v1.34.0', skip: 'KubeadmVersionSkew', fails: [] },
    { reason: 'all skipped', is: 'v1.35.0', of: 'v1.34.0', skip: 'Other, All', fails: [] },
  ])('of a set with $reason fails in $fails', ({ is, of, fails, skip, kind }) => {
    expect(checks(preflight(set(is, skip, kind), controlPlane(of)))).toEqual(fails);
  });

  it('waits for a control plane that is being upgraded', () => {
    const upgrading = controlPlane('v1.34.0', { version: 'v1.33.0', versions: [{ version: 'v1.33.0' }] });

    expect(preflight(set('v1.34.0'), upgrading)).toEqual([
      'KubeadmControlPlane default/demo is upgrading ("ControlPlaneIsStable" preflight check failed)',
    ]);
  });

  it('reports that a template gives no name for machines, whatever is skipped and without a control plane', () => {
    const named = set('v1.34.0', 'All');
    named.spec.machineNaming = {
      template: '{{ if eq .machineSet.name "machineset" }}a{{ else }}B{{ end }}-{{ .random }}',
    };
    named.spec.clusterName = 'demo';
    expect(preflight(named, null)).toEqual([
      expect.stringMatching(/^failed to generate Machine name: the name "B-\w{5}" is not valid: a lowercase RFC 1123/),
    ]);
  });

  it('checks nothing before the control plane is initialized, nor without one', () => {
    const first = controlPlane('v1.34.0', { initialization: { controlPlaneInitialized: false } });

    expect(preflight(set('v1.35.0'), first)).toEqual([]);
    expect(preflight(set('v1.35.0'), null)).toEqual([]);
  });
});
