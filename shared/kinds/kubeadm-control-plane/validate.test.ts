import { describe, expect, it } from 'vitest';
import { admit, example, refusals } from '../test-admission.ts';
import { kubeadmControlPlane } from './definition.ts';
import type { KubeadmControlPlane, KubeadmControlPlaneSpec } from './schema.ts';

const withSpec = (spec: Partial<KubeadmControlPlaneSpec>): KubeadmControlPlane => {
  const base = example(kubeadmControlPlane);
  return { ...base, spec: { ...base.spec, ...spec } };
};

const withConfig = (config: NonNullable<KubeadmControlPlaneSpec['kubeadmConfigSpec']>): KubeadmControlPlane =>
  withSpec({ kubeadmConfigSpec: { ...example(kubeadmControlPlane).spec.kubeadmConfigSpec, ...config } });

const CONFIG = 'spec.kubeadmConfigSpec';

describe('KubeadmControlPlane defaults', () => {
  it('are one replica and a rollout with one additional machine', () => {
    const { spec } = admit(kubeadmControlPlane, withSpec({ replicas: undefined, version: '1.34.0' }));
    expect(spec.replicas).toBe(1);
    expect(spec.version).toBe('v1.34.0');
    expect(spec.rollout).toEqual({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } });
  });

  it('change nothing in an admitted object', () => {
    const once = admit(kubeadmControlPlane, withSpec({}));
    expect(admit(kubeadmControlPlane, once, once)).toEqual(once);
  });
});

describe('KubeadmControlPlane admission', () => {
  it.each([
    { replicas: 2, lines: ['cannot be an even number when etcd is stacked'] },
    { replicas: 0, lines: ['cannot be less than or equal to 0', 'cannot be an even number when etcd is stacked'] },
    { replicas: -1, lines: ['cannot be less than or equal to 0'] },
  ])('refuses $replicas replicas', ({ replicas, lines }) => {
    const old = admit(kubeadmControlPlane, withSpec({}));
    const expected = lines.map((line) => `spec.replicas: Forbidden: ${line}`);
    expect(refusals(kubeadmControlPlane, withSpec({ replicas }))).toEqual(expected);
    expect(refusals(kubeadmControlPlane, { ...old, spec: { ...old.spec, replicas } }, old)).toEqual(expected);
  });

  it('allows an even number of replicas with an external etcd', () => {
    const external = { endpoints: ['https://10.0.0.1:2379'], caFile: '/ca', certFile: '/crt', keyFile: '/key' };
    const even = withConfig({ clusterConfiguration: { etcd: { external } } });
    even.spec.replicas = 2;
    expect(refusals(kubeadmControlPlane, even)).toEqual([]);
  });

  it.each(['v1', 'v1.34', 'v01.34.0', 'v1.34.0.1', 'vlatest'])('refuses the version %s', (version) => {
    expect(refusals(kubeadmControlPlane, withSpec({ version }))).toEqual([
      `spec.version: Invalid value: "${version}": must be a valid semantic version`,
    ]);
  });

  it('allows upgrades of one minor version at a time', () => {
    const old = admit(kubeadmControlPlane, withSpec({ version: 'v1.34.3' }));
    const to = (version: string) => refusals(kubeadmControlPlane, { ...old, spec: { ...old.spec, version } }, old);
    expect(to('v1.35.9')).toEqual([]);
    expect(to('v1.36.0')).toEqual([
      'spec.version: Forbidden: cannot update Kubernetes version from v1.34.3 to v1.36.0',
    ]);
  });

  it('allows upgrades over several minor versions with an upgrade path', () => {
    const old = admit(kubeadmControlPlane, withSpec({ version: 'v1.34.3' }));
    const by = (path: string) => ({ ...old.metadata, annotations: { 'windlass.dev/upgrade-path': path } });
    const to = (version: string, path: string) =>
      refusals(kubeadmControlPlane, { ...old, metadata: by(path), spec: { ...old.spec, version } }, old);
    expect(to('v1.37.0', 'v1.35.9,v1.36.2')).toEqual([]);
    expect(to('v1.37.0', 'v1.36.2')).toEqual([
      'spec.version: Forbidden: cannot update Kubernetes version from v1.34.3 to v1.37.0',
    ]);
    expect(to('v1.35.0', 'latest')).toEqual([
      'metadata.annotations[windlass.dev/upgrade-path]: Invalid value: "latest": must be a semantic version that starts with v',
    ]);
  });

  it('requires a version as the tag of CoreDNS, but keeps another tag that an earlier release stored', () => {
    const withDns = (imageTag: string) => withConfig({ clusterConfiguration: { dns: { imageTag } } });
    expect(refusals(kubeadmControlPlane, withDns('1-7'))).toEqual([
      'spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag: Invalid value: "1-7": failed to parse CoreDNS version',
    ]);
    for (const tag of ['1.11.3-eksbuild.1', '1', 'v1.11', 'v01.011.03']) {
      expect(refusals(kubeadmControlPlane, withDns(tag))).toEqual([]);
    }
    for (const tag of ['vv1.11.3', '1.11-rc.1', '1.11.', '1.11.3.4']) {
      expect(refusals(kubeadmControlPlane, withDns(tag))).toHaveLength(1);
    }
    const old = { ...admit(kubeadmControlPlane, withDns('v1.11.3')), spec: withDns('1-7').spec };
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } };
    expect(refusals(kubeadmControlPlane, labelled, old)).toEqual([]);
  });

  it('allows only upgrades of CoreDNS, unless others manage CoreDNS', () => {
    const withDns = (imageTag: string) => withConfig({ clusterConfiguration: { dns: { imageTag } } });
    const old = admit(kubeadmControlPlane, withDns('v1.11.3'));
    const to = (imageTag: string, annotations = {}) => {
      const metadata = { ...old.metadata, annotations };
      return refusals(kubeadmControlPlane, { ...old, metadata, spec: { ...old.spec, ...withDns(imageTag).spec } }, old);
    };
    for (const tag of ['v1.12.1_vendor.1', '1.12', 'v1.012.1']) expect(to(tag)).toEqual([]);
    expect(to('v1.10.1')).toEqual([
      "spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag: Forbidden: cannot migrate CoreDNS up to '1.10.1' from '1.11.3': CoreDNS is not downgraded from 1.11.3 to 1.10.1",
    ]);
    expect(to('v1.10.1', { 'controlplane.cluster.x-k8s.io/skip-coredns': '' })).toEqual([]);
  });

  it('refuses to return to a minor version that the machines have left', () => {
    const old = admit(kubeadmControlPlane, withSpec({ version: 'v1.35.1' }));
    const running = (version: string) =>
      ({ ...old, status: { version, initialization: { controlPlaneInitialized: true } } }) as KubeadmControlPlane;
    const to = (version: string, from: KubeadmControlPlane) =>
      refusals(kubeadmControlPlane, { ...from, spec: { ...from.spec, version } }, from);
    expect(to('v1.34.0', running('v1.35.1'))).toEqual([
      'spec.version: Forbidden: cannot update Kubernetes version from v1.35.1 to v1.34.0',
    ]);
    expect(to('v1.35.0', running('v1.35.1'))).toEqual([]);
    expect(to('v1.34.0', running('v1.34.2'))).toEqual([]);
    expect(to('v1.34.0', old)).toEqual([]);
  });

  it('allows a surge of one machine or none, and of none only with three replicas', () => {
    const surge = (maxSurge: number | string, replicas: number) =>
      refusals(
        kubeadmControlPlane,
        withSpec({ replicas, rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } } }),
      );
    expect(surge(0, 3)).toEqual([]);
    expect(surge(2, 3)).toEqual(['spec.rollout.strategy.rollingUpdate.maxSurge: Required value: value must be 1 or 0']);
    expect(surge(0, 1)).toEqual([
      'spec.rollout.strategy.rollingUpdate: Required value: when KubeadmControlPlane is configured to scale-in, replica count needs to be at least 3',
    ]);
  });

  it('refuses changes of fields that must not change in a running control plane', () => {
    const old = admit(kubeadmControlPlane, withConfig({ clusterConfiguration: { certificatesDir: '/pki' } }));
    const next = withConfig({ clusterConfiguration: { certificatesDir: '/etc', imageRepository: 'mirror.example' } });
    expect(refusals(kubeadmControlPlane, { ...old, spec: { ...old.spec, ...next.spec } }, old)).toEqual([
      `${CONFIG}.clusterConfiguration.certificatesDir: Forbidden: cannot be modified`,
    ]);
  });

  it('refuses the removal of the whole join configuration', () => {
    const old = admit(kubeadmControlPlane, withSpec({}));
    const { joinConfiguration: _, ...config } = old.spec.kubeadmConfigSpec ?? {};
    expect(refusals(kubeadmControlPlane, { ...old, spec: { ...old.spec, kubeadmConfigSpec: config } }, old)).toEqual([
      `${CONFIG}.joinConfiguration: Forbidden: cannot be modified`,
    ]);
  });

  it('requires certificates to be valid no longer than their CA', () => {
    const days = { certificateValidityPeriodDays: 365, caCertificateValidityPeriodDays: 100 };
    expect(refusals(kubeadmControlPlane, withConfig({ clusterConfiguration: days }))).toEqual([
      `${CONFIG}.clusterConfiguration.certificateValidityPeriodDays: Invalid value: 365: must be less than or equal to caCertificateValidityPeriodDays (100)`,
    ]);
  });

  it('requires a random part in the names of machines', () => {
    const naming = (template: string) => refusals(kubeadmControlPlane, withSpec({ machineNaming: { template } }));
    expect(naming('{{ .cluster.name }}-{{ .random }}')).toEqual([]);
    expect(naming('{{ .cluster.name }}')).toEqual([
      'spec.machineNaming.template: Invalid value: "{{ .cluster.name }}": invalid template, {{ .random }} is missing',
    ]);
    expect(naming('{{ .machineSet.name }}-{{ .random }}')).toHaveLength(1);
  });

  it('does not warn about fields that have an effect', () => {
    const machineNaming = { template: '{{ .cluster.name }}-{{ .random }}' };
    const given = withSpec({ remediation: { maxRetry: 3 }, machineNaming }) as KubeadmControlPlane;
    given.spec.machineTemplate.spec.taints = [{ key: 'a', effect: 'NoSchedule', propagation: 'Always' }];
    expect(kubeadmControlPlane.warnings?.(admit(kubeadmControlPlane, given), undefined)).toEqual([]);
  });
});
