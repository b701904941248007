import { describe, expect, it } from 'vitest';
import { contractLabels } from './contract-labels.ts';
import { kinds } from './index.ts';

describe('contract labels', () => {
  it('name the version of each contract that is served', () => {
    expect(contractLabels(kinds.machine as never, ['v1beta2', 'v1beta1'])).toEqual({
      'cluster.x-k8s.io/provider': 'cluster-api',
      'clusterctl.cluster.x-k8s.io': '',
      'cluster.x-k8s.io/v1beta1': 'v1beta1',
      'cluster.x-k8s.io/v1beta2': 'v1beta2',
    });
  });

  it('name the only contract of the AWS provider, regardless of the names of its versions', () => {
    expect(contractLabels(kinds.awsCluster as never, ['v1beta2', 'v1beta1'])).toMatchObject({
      'cluster.x-k8s.io/v1beta1': 'v1beta1_v1beta2',
    });
    expect(contractLabels(kinds.awsCluster as never, ['v1beta2'])).not.toHaveProperty('cluster.x-k8s.io/v1beta2');
  });

  it('distinguish the two providers that have kinds in the same groups', () => {
    const providerOf = (kind: unknown) => contractLabels(kind as never, ['v1beta2'])['cluster.x-k8s.io/provider'];
    expect(providerOf(kinds.rke2ControlPlane)).toBe('control-plane-rke2');
    expect(providerOf(kinds.kubeadmControlPlane)).toBe('control-plane-kubeadm');
    expect(providerOf(kinds.rke2ConfigTemplate)).toBe('bootstrap-rke2');
  });

  it("exclude clusterctl's inventory from moves", () => {
    expect(contractLabels(kinds.provider as never, ['v1alpha3'])).toEqual({
      'clusterctl.cluster.x-k8s.io/core': 'inventory',
    });
  });

  it('are only for the kinds of Cluster API', () => {
    expect(contractLabels({ ...kinds.machine, group: 'toys.windlass.dev' } as never, ['v1'])).toEqual({});
  });
});
