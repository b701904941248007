import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { formatDays, formatDuration } from '../../kinds/rules/duration.ts';
import { generateAuthority } from '../certificates/authority.ts';
import { testDependencies } from '../certificates/fixtures.ts';
import { publicKeyHash } from '../certificates/public-key-hash.ts';
import { renderInit, renderJoin } from './render.ts';
import type { ClusterFacts, JoinConfiguration, KubeadmConfigSpec } from './spec.ts';
import { kubeadmApi } from './version.ts';

const ca = await generateAuthority({ ...testDependencies(), algorithm: 'ECDSA-P256' });
const token = 'abcdef.0123456789abcdef';
const cluster: ClusterFacts = {
  name: 'demo',
  endpoint: { host: 'lb.example.com', port: 6443 },
  podCidrs: ['192.168.0.0/16', 'fd00::/48'],
  serviceCidrs: ['10.96.0.0/12'],
  dnsDomain: 'cluster.local',
  version: 'v1.34.0',
};
const old: ClusterFacts = { ...cluster, version: 'v1.30.4' };

const init = (facts: ClusterFacts, spec: KubeadmConfigSpec, tokens = [{ token, description: 'machine demo-2' }]) =>
  parseAllDocuments(renderInit(facts, spec, tokens)).map((document) => document.toJS());
const join = (role: 'control-plane' | 'worker', configuration: JoinConfiguration, facts = cluster) =>
  parse(renderJoin({ role, cluster: facts, configuration, token, caCertificatePem: ca.certificatePem }));

const everything: KubeadmConfigSpec = {
  clusterConfiguration: {
    etcd: {
      local: {
        imageRepository: 'r/etcd',
        imageTag: '3',
        dataDir: '/data',
        extraArgs: [{ name: 'quota-backend-bytes', value: '1' }],
        extraEnvs: [{ name: 'A', value: 'yes' }],
        serverCertSANs: ['s'],
        peerCertSANs: ['p'],
      },
    },
    apiServer: {
      extraArgs: [
        { name: 'audit-log-path', value: '-' },
        { name: 'v', value: '1' },
      ],
      extraVolumes: [{ name: 'n', hostPath: '/h', mountPath: '/m', readOnly: true, pathType: 'File' }],
      extraEnvs: [{ name: 'B', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }],
      certSANs: ['san'],
    },
    controllerManager: { extraArgs: [{ name: 'cloud-provider', value: 'external' }] },
    scheduler: { extraArgs: [{ name: 'v', value: '2' }] },
    dns: { imageRepository: 'r/coredns', imageTag: '1' },
    certificatesDir: '/pki',
    imageRepository: 'r',
    featureGates: { Mine: false },
    certificateValidityPeriodDays: 90,
    caCertificateValidityPeriodDays: 3650,
    encryptionAlgorithm: 'ECDSA-P256',
  },
  initConfiguration: {
    bootstrapTokens: [
      { token: 'zzzzzz.zzzzzzzzzzzzzzzz', description: 'd', ttlSeconds: 60, usages: ['signing'], groups: ['g'] },
    ],
    nodeRegistration: {
      name: '{{ ds.meta_data.local_hostname }}',
      criSocket: 'unix:///run/containerd/containerd.sock',
      taints: [],
      kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }],
      ignorePreflightErrors: ['Mem'],
      imagePullPolicy: 'Never',
      imagePullSerial: false,
    },
    localAPIEndpoint: { advertiseAddress: '10.0.0.1', bindPort: 6443 },
    skipPhases: ['addon/kube-proxy'],
    patches: { directory: '/patches' },
    timeouts: { kubeletHealthCheckSeconds: 5, etcdAPICallSeconds: 30 },
  },
};

describe('renderInit', () => {
  it('renders every field in v1beta4', () => {
    const [clusterConfiguration, initConfiguration] = init(cluster, everything);

    const { extraArgs, ...apiServer } = everything.clusterConfiguration?.apiServer ?? {};
    expect(clusterConfiguration).toEqual({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      clusterName: 'demo',
      kubernetesVersion: 'v1.34.0',
      controlPlaneEndpoint: 'lb.example.com:6443',
      networking: { podSubnet: '192.168.0.0/16,fd00::/48', serviceSubnet: '10.96.0.0/12', dnsDomain: 'cluster.local' },
      apiServer: { ...apiServer, extraArgs },
      controllerManager: { extraArgs: [{ name: 'cloud-provider', value: 'external' }] },
      scheduler: { extraArgs: [{ name: 'v', value: '2' }] },
      etcd: everything.clusterConfiguration?.etcd,
      dns: { imageRepository: 'r/coredns', imageTag: '1' },
      certificatesDir: '/pki',
      imageRepository: 'r',
      featureGates: { ControlPlaneKubeletLocalMode: true, Mine: false },
      encryptionAlgorithm: 'ECDSA-P256',
      certificateValidityPeriod: '2160h0m0s',
      caCertificateValidityPeriod: '87600h0m0s',
    });
    expect(initConfiguration).toEqual({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      bootstrapTokens: [
        { token: 'zzzzzz.zzzzzzzzzzzzzzzz', description: 'd', ttl: '1m0s', usages: ['signing'], groups: ['g'] },
        {
          token,
          description: 'machine demo-2',
          ttl: '15m0s',
          usages: ['signing', 'authentication'],
          groups: ['system:bootstrappers:kubeadm:default-node-token'],
        },
      ],
      nodeRegistration: everything.initConfiguration?.nodeRegistration,
      localAPIEndpoint: { advertiseAddress: '10.0.0.1', bindPort: 6443 },
      skipPhases: ['addon/kube-proxy'],
      patches: { directory: '/patches' },
      timeouts: {
        controlPlaneComponentHealthCheck: '10m0s',
        kubeletHealthCheck: '5s',
        kubernetesAPICall: '3m0s',
        etcdAPICall: '30s',
        tlsBootstrap: '10m0s',
        discovery: '15m0s',
      },
    });
  });

  it('converts arguments to maps, and drops fields that v1beta3 lacks', () => {
    const [clusterConfiguration, initConfiguration] = init(old, everything);

    expect(clusterConfiguration.apiVersion).toBe('kubeadm.k8s.io/v1beta3');
    expect(clusterConfiguration.apiServer).toMatchObject({
      extraArgs: { 'audit-log-path': '-', v: '1' },
      timeoutForControlPlane: '10m0s',
    });
    expect(clusterConfiguration.etcd.local.extraArgs).toEqual({ 'quota-backend-bytes': '1' });
    expect(clusterConfiguration.featureGates).toEqual({ Mine: false });
    const names = ['extraEnvs', 'encryptionAlgorithm', 'certificateValidityPeriod', 'imagePullSerial', 'timeouts:'];
    for (const name of names) expect(renderInit(old, everything, [])).not.toContain(name);
    expect(initConfiguration.nodeRegistration.kubeletExtraArgs).toEqual({ 'cloud-provider': 'external' });
  });

  it('respects an endpoint and timeouts that the user set', () => {
    const spec: KubeadmConfigSpec = {
      clusterConfiguration: { controlPlaneEndpoint: 'mine:443' },
      initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 77 } },
    };

    expect(init(cluster, spec)[0].controlPlaneEndpoint).toBe('mine:443');
    expect(init(cluster, spec)[1].timeouts.controlPlaneComponentHealthCheck).toBe('1m17s');
    expect(init(old, spec)[0].apiServer.timeoutForControlPlane).toBe('1m17s');
  });

  it('renders an empty spec as files that kubeadm can complete', () => {
    const [clusterConfiguration, initConfiguration] = init(cluster, {}, []);

    expect(Object.keys(clusterConfiguration).sort()).toEqual([
      'apiVersion',
      'clusterName',
      'controlPlaneEndpoint',
      'featureGates',
      'kind',
      'kubernetesVersion',
      'networking',
    ]);
    expect(Object.keys(initConfiguration)).toEqual(['apiVersion', 'kind', 'timeouts']);
  });

  it.each([
    { version: 'v1.30.9', gates: undefined },
    { version: 'v1.31.0-rc.1', gates: { ControlPlaneKubeletLocalMode: true } },
    { version: 'v1.35.2', gates: { ControlPlaneKubeletLocalMode: true } },
    { version: 'v1.36.0-alpha.0', gates: undefined },
  ])('sets ControlPlaneKubeletLocalMode only from 1.31 to 1.35: $version', ({ version, gates }) => {
    expect(init({ ...cluster, version }, {})[0].featureGates).toEqual(gates);
  });

  it('does not enable a feature gate that the user disabled', () => {
    const spec = { clusterConfiguration: { featureGates: { ControlPlaneKubeletLocalMode: false } } };

    expect(init(cluster, spec)[0].featureGates).toEqual({ ControlPlaneKubeletLocalMode: false });
  });
});

describe('renderJoin', () => {
  const discovery = {
    bootstrapToken: {
      token,
      apiServerEndpoint: 'lb.example.com:6443',
      caCertHashes: [publicKeyHash(ca.certificatePem)],
    },
  };

  it('joins a worker with a pinned CA and the taint that keeps pods off it', () => {
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }];

    expect(join('worker', { nodeRegistration: { taints }, caCertPath: '/ca.crt' })).toEqual({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      nodeRegistration: { taints: [...taints, { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }] },
      caCertPath: '/ca.crt',
      discovery,
      timeouts: {
        controlPlaneComponentHealthCheck: '10m0s',
        kubernetesAPICall: '3m0s',
        etcdAPICall: '10m0s',
        tlsBootstrap: '10m0s',
        discovery: '15m0s',
      },
    });
  });

  it('does not add the taint twice', () => {
    const taints = [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }];

    expect(join('worker', { nodeRegistration: { taints } }).nodeRegistration.taints).toEqual(taints);
  });

  it('renders `controlPlane` for a control plane machine, even if it is empty, and leaves the taints to kubeadm', () => {
    const joined = join('control-plane', {});

    expect(joined.controlPlane).toEqual({ localAPIEndpoint: {} });
    expect(joined.nodeRegistration).toBeUndefined();
    const port = join('control-plane', { controlPlane: { localAPIEndpoint: { bindPort: 8443 } } });
    expect(port.controlPlane).toEqual({ localAPIEndpoint: { bindPort: 8443 } });
  });

  it('refuses a worker whose spec says that it belongs to the control plane', () => {
    expect(() => join('worker', { controlPlane: {} })).toThrow(
      /^spec\.joinConfiguration\.controlPlane: must not be set/,
    );
  });

  it('keeps the discovery that the user set', () => {
    const bootstrapToken = {
      token: 'zzzzzz.zzzzzzzzzzzzzzzz',
      apiServerEndpoint: 'mine:443',
      caCertHashes: ['sha256:00'],
      unsafeSkipCAVerification: true,
    };

    expect(join('worker', { discovery: { bootstrapToken, tlsBootstrapToken: 't' } }).discovery).toEqual({
      bootstrapToken,
      tlsBootstrapToken: 't',
    });
    const file = { file: { kubeConfigPath: '/discovery.conf', kubeConfig: { user: {} } } };
    expect(join('worker', { discovery: file }).discovery).toEqual({ file: { kubeConfigPath: '/discovery.conf' } });
  });

  it.each([
    { timeouts: undefined, expected: '15m0s' },
    { timeouts: { discoverySeconds: 60 }, expected: '1m0s' },
    { timeouts: { discoverySeconds: 60, tlsBootstrapSeconds: 90 }, expected: '1m30s' },
  ])('renders a single timeout for discovery in v1beta3: $expected', ({ timeouts, expected }) => {
    const joined = join('worker', { timeouts }, old);

    expect(joined.discovery).toEqual({ ...discovery, timeout: expected });
    expect(joined.timeouts).toBeUndefined();
  });

  it('refuses a malformed token, and a CA without a certificate', () => {
    const input = { role: 'worker' as const, cluster, configuration: {}, token, caCertificatePem: ca.certificatePem };

    expect(() => renderJoin({ ...input, token: 'x' })).toThrow(/bootstrapToken\.token: must have the form/);
    expect(() => renderJoin({ ...input, caCertificatePem: '' })).toThrow(/^cluster CA: holds no certificate/);
  });

  it('brackets an IPv6 endpoint', () => {
    const facts = { ...cluster, endpoint: { host: 'fd00::1', port: 6443 } };

    expect(join('worker', {}, facts).discovery.bootstrapToken.apiServerEndpoint).toBe('[fd00::1]:6443');
  });
});

describe('kubeadmApi', () => {
  it.each(['v1.21.0', '1.34', 'v2.0.0', 'latest', ''])('accepts only valid versions from 1.22 on: %s', (version) => {
    if (version === '1.34') expect(kubeadmApi(version)).toBe('kubeadm.k8s.io/v1beta4');
    else expect(() => kubeadmApi(version)).toThrow(/^Machine spec\.version: /);
  });
});

describe('formatDuration', () => {
  it('formats durations as Go does', () => {
    expect([0, 59, 60, 3600, 86_399].map(formatDuration)).toEqual(['0s', '59s', '1m0s', '1h0m0s', '23h59m59s']);
    expect(formatDays(undefined)).toBeUndefined();
  });
});
