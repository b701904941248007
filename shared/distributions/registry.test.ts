import { describe, expect, it } from 'vitest';
import type { Cluster } from '../kinds/index.ts';
import { anyDistributionOf, distributionIn, distributionOf } from './registry.ts';

const CONFIG = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'a' };
const CONTROL_PLANE = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'a' };
const FOREIGN = { apiGroup: 'bootstrap.example.com', kind: 'RackConfig', name: 'a' };

const cluster = (parts?: string): Pick<Cluster, 'metadata'> => ({
  metadata: {
    name: 'red',
    ...(parts === undefined ? {} : { annotations: { 'windlass.dev/reconciled-outside': parts } }),
  },
});

describe('the distribution of a reference', () => {
  it('is external only if Windlass does not implement the kind', () => {
    expect([distributionOf('config', FOREIGN), anyDistributionOf('config', FOREIGN)?.isOutside]).toEqual([
      undefined,
      true,
    ]);
    expect(anyDistributionOf('config', FOREIGN)?.configTemplate).toMatchObject({ kind: 'RackConfigTemplate' });
    expect(anyDistributionOf('config', CONFIG)?.isOutside).toBeUndefined();
    expect(anyDistributionOf('config', undefined)).toBeUndefined();
  });

  it.each([
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['Bootstrap', true, undefined],
    ['ControlPlane', undefined, true],
    ['Bootstrap, ControlPlane', true, true],
    ['Workers', undefined, undefined],
  ])('follows the annotation of the Cluster: %s', (parts, bootstrap, controlPlane) => {
    expect(distributionIn(cluster(parts), 'config', CONFIG)?.isOutside).toBe(bootstrap);
    expect(distributionIn(cluster(parts), 'controlPlane', CONTROL_PLANE)?.isOutside).toBe(controlPlane);
    expect(distributionIn(cluster(parts), 'config', CONFIG)?.config.plural).toBe('kubeadmconfigs');
  });
});
