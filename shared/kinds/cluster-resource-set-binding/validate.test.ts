import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { clusterResourceSetBinding } from './definition.ts';

const binding = (clusterName: string) => ({
  apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
  kind: 'ClusterResourceSetBinding',
  metadata: { name: 'quickstart' },
  spec: {
    clusterName,
    bindings: [
      {
        clusterResourceSetName: 'cni',
        resources: [{ kind: 'ConfigMap', name: 'calico', applied: true, hash: 'sha256:0' }],
      },
    ],
  },
});

describe('ClusterResourceSetBinding', () => {
  it('belongs to one cluster, which cannot change', () => {
    const old = admit(clusterResourceSetBinding, binding('quickstart'));
    expect(clusterResourceSetBinding.clusterNameOf?.(old)).toBe('quickstart');
    expect(refusals(clusterResourceSetBinding, binding('other'), old)).toEqual([
      'spec.clusterName: Invalid value: "other": field is immutable',
    ]);
  });
});
