import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../shared/kinds/index.ts';
import { isProbed } from './probed.ts';

describe('a workload cluster', () => {
  const topology = { classRef: { name: 'class' }, version: 'v1.35.0' };
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'cp' };

  it.each([
    { what: 'a control plane object', spec: { controlPlaneRef }, probed: true },
    { what: 'neither a control plane object nor a topology', spec: {}, probed: true },
    { what: 'a topology that has no control plane yet', spec: { topology }, probed: false },
  ])('with $what is probed: $probed', ({ spec, probed }) => {
    expect(isProbed({ metadata: { name: 'red' }, spec } as Cluster)).toBe(probed);
  });
});
