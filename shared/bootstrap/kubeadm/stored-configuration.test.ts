import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { StoredConfigurationError, updatedConfiguration, withDnsImage } from './stored-configuration.ts';

const V3 = `apiServer:
  extraArgs:
    audit-log-maxage: "30"
  timeoutForControlPlane: 10m0s
apiVersion: kubeadm.k8s.io/v1beta3
certificatesDir: /etc/kubernetes/pki
clusterName: red
controlPlaneEndpoint: api.example.com:6443
controllerManager: {}
dns: {}
etcd:
  local:
    dataDir: /var/lib/etcd
    extraArgs:
      quota-backend-bytes: "8589934592"
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: v1.30.4
networking:
  dnsDomain: cluster.local
  podSubnet: 192.168.0.0/16
scheduler: {}
someday: {new: field}
`;

const nothing = { configuration: undefined, timeouts: undefined };
const updated = (text: string, version: string, configuration?: object) =>
  parse(updatedConfiguration(text, { ...nothing, version, configuration }) ?? 'null');

describe('the ClusterConfiguration that joining machines read', () => {
  it('gets the new version and keeps everything else, including unknown fields', () => {
    const next = updated(V3, 'v1.30.9');
    expect(next).toMatchObject({ kubernetesVersion: 'v1.30.9', someday: { new: 'field' }, clusterName: 'red' });
    expect(next.apiServer).toEqual({ extraArgs: { 'audit-log-maxage': '30' }, timeoutForControlPlane: '10m0s' });
  });

  it('is not changed if it is up to date, even though kubeadm writes empty parts', () => {
    expect(updatedConfiguration(V3, { ...nothing, version: 'v1.30.4' })).toBeUndefined();
    const once = updatedConfiguration(V3, { ...nothing, version: 'v1.31.1', configuration: {} }) ?? '';
    expect(updatedConfiguration(once, { ...nothing, version: 'v1.31.1', configuration: {} })).toBeUndefined();
  });

  it('is converted to the API version of the new kubeadm, including settings that the control plane does not mention', () => {
    const next = updated(V3, 'v1.31.0');
    expect(next).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      apiServer: { extraArgs: [{ name: 'audit-log-maxage', value: '30' }] },
      etcd: { local: { extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }] } },
    });
    expect(next.apiServer.timeoutForControlPlane).toBeUndefined();
    expect(updated(updatedConfiguration(V3, { ...nothing, version: 'v1.31.0' }) ?? '', 'v1.30.9')).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta3',
      apiServer: { extraArgs: { 'audit-log-maxage': '30' } },
    });
  });

  it('takes over the settings of the control plane, and loses those that the control plane has dropped', () => {
    const configuration = {
      apiServer: { extraArgs: [{ name: 'profiling', value: 'false' }], certSANs: ['a.example.com'] },
      etcd: { local: { imageTag: '3.5.21-0' } },
      featureGates: { PublicKeysECDSA: true },
      certificateValidityPeriodDays: 90,
    };
    const next = updated(V3, 'v1.34.2', configuration);
    expect(next.apiServer).toEqual({
      extraArgs: [{ name: 'profiling', value: 'false' }],
      certSANs: ['a.example.com'],
    });
    expect(next).toMatchObject({
      etcd: { local: { imageTag: '3.5.21-0' } },
      featureGates: { PublicKeysECDSA: true, ControlPlaneKubeletLocalMode: true },
      certificateValidityPeriod: '2160h0m0s',
      imageRepository: 'registry.k8s.io',
      certificatesDir: '/etc/kubernetes/pki',
    });
    expect(next.etcd.local.dataDir).toBeUndefined();
    expect(updated(V3, 'v1.36.0', { imageRepository: 'example.com/k8s' })).toMatchObject({
      imageRepository: 'example.com/k8s',
    });
    expect(updated(V3, 'v1.36.0', configuration).featureGates).toEqual({ PublicKeysECDSA: true });
  });

  it('is updated with the image of CoreDNS', () => {
    expect(parse(withDnsImage(V3, { imageTag: 'v1.12.1' }) ?? '').dns).toEqual({ imageTag: 'v1.12.1' });
    expect(withDnsImage(V3, {})).toBeUndefined();
  });

  it.each(['[]', 'apiVersion: kubeadm.k8s.io/v1beta2\nkind: ClusterConfiguration'])(
    'is refused if it cannot be read: %j',
    (text) => {
      expect(() => updatedConfiguration(text, { ...nothing, version: 'v1.34.0' })).toThrow(StoredConfigurationError);
    },
  );
});
