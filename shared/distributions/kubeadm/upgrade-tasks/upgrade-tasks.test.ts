import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../../kinds/contract-objects.ts';
import type { AnyObject } from '../../../workload/client.ts';
import { type Change, UpgradeTaskRefusedError } from '../../upgrade-tasks.ts';
import { coreDns } from './core-dns.ts';
import { kubeProxy } from './kube-proxy.ts';
import { imageOf, type PodTemplated } from './workload.ts';

const controlPlane = (clusterConfiguration?: object, annotations = {}): ControlPlane =>
  ({
    metadata: { name: 'cp', annotations },
    spec: { version: 'v1.35.2', kubeadmConfigSpec: { clusterConfiguration } },
  }) as never;

const running = (name: string, image: string): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name },
  spec: {
    template: {
      spec: {
        containers: [
          { name: 'sidecar', image: 'x:1' },
          { name, image },
        ],
      },
    },
  },
});

const imagesOf = (changes: readonly Change[], name: string) =>
  changes.flatMap((one) => ('replace' in one ? [imageOf(one.replace as PodTemplated, name)] : [])).filter(Boolean);

describe('kube-proxy', () => {
  const plan = (owner: ControlPlane, image?: string) =>
    imagesOf(kubeProxy.plan(owner, [image ? running('kube-proxy', image) : undefined]), 'kube-proxy');

  it.each([
    ['registry.k8s.io/kube-proxy:v1.34.0', undefined, 'registry.k8s.io/kube-proxy:v1.35.2'],
    ['example.com:5000/a/kube-proxy:v1.34.0', {}, 'example.com:5000/a/kube-proxy:v1.35.2'],
    ['registry.k8s.io/kube-proxy:v1.35.2', { imageRepository: 'b.io/k8s' }, 'b.io/k8s/kube-proxy:v1.35.2'],
    ['kube-proxy', {}, 'kube-proxy:v1.35.2'],
  ])('is updated from %s with %j to %s', (is, configuration, wanted) => {
    expect(plan(controlPlane(configuration), is)).toEqual([wanted]);
  });

  it('is not changed if it is correct, absent or skipped, and is refused with an image digest', () => {
    expect(plan(controlPlane(), 'registry.k8s.io/kube-proxy:v1.35.2')).toEqual([]);
    expect(plan(controlPlane())).toEqual([]);
    const skipping = controlPlane({}, { 'controlplane.cluster.x-k8s.io/skip-kube-proxy': '' });
    expect(plan(skipping, 'registry.k8s.io/kube-proxy:v1.34.0')).toEqual([]);
    expect(() => plan(controlPlane(), `kube-proxy@sha256:${'0'.repeat(64)}`)).toThrow(UpgradeTaskRefusedError);
  });
});

describe('CoreDNS', () => {
  const stored = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
  const configMap = (name: string, data: object): AnyObject => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data },
  });
  const plan = (owner: ControlPlane, image: string) =>
    coreDns.plan(owner, [
      configMap('coredns', { Corefile: '.:53 {}' }),
      running('coredns', image),
      configMap('kubeadm-config', { ClusterConfiguration: stored }),
    ]) as { replace: AnyObject }[];
  const IS = 'registry.k8s.io/coredns/coredns:v1.11.3';

  it('gets the image that the control plane names, after kubeadm-config', () => {
    const [config, deployment] = plan(controlPlane({ dns: { imageTag: 'v1.12.1' } }), IS);
    expect(config?.replace.data).toEqual({
      ClusterConfiguration: expect.stringContaining('dns:\n  imageTag: v1.12.1'),
    });
    expect(imageOf(deployment?.replace as PodTemplated, 'coredns')).toBe('registry.k8s.io/coredns/coredns:v1.12.1');
  });

  it.each([
    [{ dns: { imageRepository: 'b.io/dns/' } }, IS, 'b.io/dns/coredns:v1.11.3'],
    [{ imageRepository: 'b.io/k8s', dns: { imageTag: 'v1.11.4' } }, IS, 'b.io/k8s/coredns:v1.11.4'],
    [{ imageRepository: 'registry.k8s.io' }, 'b.io/coredns:v1.11.3', 'registry.k8s.io/coredns/coredns:v1.11.3'],
    [{ dns: { imageTag: '1.12' } }, IS, 'registry.k8s.io/coredns/coredns:1.12'],
    [{ dns: { imageTag: 'v1.12.1_vendor.2' } }, IS, 'registry.k8s.io/coredns/coredns:v1.12.1_vendor.2'],
  ])('with the settings %j is updated from %s to %s', (configuration, is, wanted) => {
    expect(imagesOf(plan(controlPlane(configuration), is), 'coredns')).toEqual([wanted]);
  });

  it('is not changed if it has no settings, if it is skipped, or if it does not exist', () => {
    expect(plan(controlPlane({}), IS)).toEqual([]);
    expect(plan(controlPlane(), IS)).toEqual([]);
    const wish = { dns: { imageTag: 'v1.12.1' } };
    expect(plan(controlPlane(wish, { 'controlplane.cluster.x-k8s.io/skip-coredns': '' }), IS)).toEqual([]);
    expect(coreDns.plan(controlPlane(wish), [undefined, undefined, undefined])).toEqual([]);
  });

  it.each([
    ['v1.10.1', IS, 'CoreDNS is not downgraded from 1.11.3 to 1.10.1'],
    ['v1.12.1', 'registry.k8s.io/coredns:1.7.0', 'migrations begin with 1.8.3'],
    ['v1.15.0', IS, 'CoreDNS 1.15.0 is not known'],
    ['v1.12.1', 'b.io/coredns:latest', 'the tag "latest" of CoreDNS\'s image names no version'],
  ])('is not changed to %s from %s', (imageTag, is, why) => {
    expect(() => plan(controlPlane({ dns: { imageTag } }), is)).toThrow(why);
  });
});
