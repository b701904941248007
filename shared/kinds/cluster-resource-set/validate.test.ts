import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { clusterResourceSet } from './definition.ts';
import type { ClusterResourceSet } from './schema.ts';

const withSpec = (spec: Partial<ClusterResourceSet['spec']>): ClusterResourceSet => ({
  apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
  kind: 'ClusterResourceSet',
  metadata: { name: 'cni' },
  spec: {
    clusterSelector: { matchLabels: { cni: 'calico' } },
    resources: [{ kind: 'ConfigMap', name: 'calico' }],
    ...spec,
  },
});

describe('ClusterResourceSet', () => {
  it('has the strategy ApplyOnce by default', () => {
    expect(admit(clusterResourceSet, withSpec({})).spec.strategy).toBe('ApplyOnce');
    expect(admit(clusterResourceSet, withSpec({ strategy: 'Reconcile' })).spec.strategy).toBe('Reconcile');
  });

  it('must select clusters and have resources to apply', () => {
    expect(refusals(clusterResourceSet, withSpec({ clusterSelector: {} }))).toEqual([
      'spec.clusterSelector: Invalid value: {}: selector must not be empty',
    ]);
    expect(refusals(clusterResourceSet, withSpec({ resources: [] }))[0]).toContain('spec.resources: Invalid value: 0');
  });

  it('refuses changes of its selector and strategy', () => {
    const old = admit(clusterResourceSet, withSpec({}));
    const next = withSpec({ clusterSelector: { matchLabels: { cni: 'cilium' } }, strategy: 'Reconcile' });
    expect(refusals(clusterResourceSet, next, old)).toEqual([
      'spec.strategy: Invalid value: "Reconcile": field is immutable',
      'spec.clusterSelector: Invalid value: {"matchLabels":{"cni":"cilium"}}: field is immutable',
    ]);
    expect(refusals(clusterResourceSet, withSpec({ resources: [{ kind: 'Secret', name: 'ccm' }] }), old)).toEqual([]);
  });
});
