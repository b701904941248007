import { describe, expect, it } from 'vitest';
import { parseKubeadmFile } from './config.ts';

const V4 = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: 1.34.0
controlPlaneEndpoint: lb:6443
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens: [{token: abcdef.0123456789abcdef, ttl: 15m0s}]
nodeRegistration:
  taints: []
  kubeletExtraArgs: [{name: provider-id, value: a}, {name: v, value: "2"}]
timeouts: {kubernetesAPICall: 1h2m3s}
`;

const V3 = `apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
nodeRegistration: {name: node-1, kubeletExtraArgs: {cloud-provider: external}}
discovery:
  timeout: 10m0s
  bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "lb:6443", caCertHashes: ["sha256:00"]}
controlPlane: {localAPIEndpoint: {bindPort: 6444}}
`;

describe('parseKubeadmFile', () => {
  it('parses an init configuration in v1beta4', () => {
    const { version, cluster, init, join } = parseKubeadmFile(V4);
    expect(version).toBe('v1beta4');
    expect(join).toBeUndefined();
    expect(cluster).toMatchObject({
      kubernetesVersion: 'v1.34.0',
      controlPlaneEndpoint: 'lb:6443',
      certificatesDir: '/etc/kubernetes/pki',
      serviceSubnet: '10.96.0.0/12',
    });
    expect(init?.nodeRegistration.taints).toEqual([]);
    expect(init?.nodeRegistration.kubeletExtraArgs[0]).toEqual({ name: 'provider-id', value: 'a' });
    expect(init?.bootstrapTokens[0]?.ttlMilliseconds).toBe(900_000);
    expect(init?.timeouts).toMatchObject({ kubernetesApiCall: 3_723_000, discovery: 300_000 });
  });

  it('parses a join configuration in v1beta3', () => {
    const { join } = parseKubeadmFile(V3);
    expect(join).toMatchObject({
      nodeRegistration: { name: 'node-1', kubeletExtraArgs: [{ name: 'cloud-provider', value: 'external' }] },
      discovery: { apiServerEndpoint: 'lb:6443', unsafeSkipCaVerification: false },
      controlPlane: { bindPort: 6444 },
      timeouts: { discovery: 600_000 },
    });
    expect(join?.nodeRegistration.taints).toBeUndefined();
  });

  it.each([
    [
      V4.replaceAll('v1beta4', 'v1beta2'),
      'no kind "ClusterConfiguration" is registered for version "kubeadm.k8s.io/v1beta2"',
    ],
    [V4.replace('1.34.0', 'latest'), 'version "latest" doesn\'t match patterns for a semantic version'],
    [V4.replace('15m0s', '15 minutes'), 'ttl: time: invalid duration "15 minutes"'],
    [V3.replace('bindPort: 6444', 'bindPort: "6444"'), 'cannot unmarshal string into field bindPort of type int32'],
    [V3.replace('name: node-1,', 'name: 7,'), 'cannot unmarshal number into field name of type string'],
    ['a: [', 'yaml: BAD_'],
    ['', 'kind and apiVersion of kubeadm.k8s.io must be specified'],
    [
      V3.replace(/bootstrapToken: .*/, 'file: {kubeConfigPath: /x}'),
      'discovery.file: the simulated machine does token discovery only',
    ],
  ])('refuses a file that kubeadm refuses', (source, message) => {
    expect(() => parseKubeadmFile(source)).toThrow(message);
  });
});
