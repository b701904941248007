import { describe, expect, it } from 'vitest';
import { isCloudController } from './cloud-controller.ts';

const daemonSet = (name: string, container: object, kind = 'DaemonSet') => ({
  kind,
  metadata: { name },
  spec: { template: { spec: { containers: [container] } } },
});

describe('a cloud controller manager', () => {
  it.each([
    daemonSet('x', { name: 'x', image: 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.34.0' }),
    daemonSet('aws-cloud-controller-manager', { name: 'x', image: 'mirror.example/ccm@sha256:0' }),
    daemonSet('x', { name: 'cloud-controller-manager', image: 'rancher/rke2-cloud-provider:v1' }, 'Deployment'),
    {
      kind: 'Pod',
      metadata: { name: 'cloud-controller-manager-n' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  ])('is recognized by its name or its image: %#', (object) => {
    expect(isCloudController(object)).toBe(true);
  });

  it.each([
    daemonSet('kube-flannel', { name: 'kube-flannel', image: 'ghcr.io/flannel-io/flannel:v0.27.4' }),
    daemonSet('x', { name: 'x', image: 'cloud-controller-manager.example/pause:3' }),
    { kind: 'ServiceAccount', metadata: { name: 'cloud-controller-manager' } },
    { kind: 'DaemonSet', metadata: { name: 'cloud-controller-manager' } },
  ])('is not recognized in other objects: %#', (object) => {
    expect(isCloudController(object)).toBe(false);
  });
});
