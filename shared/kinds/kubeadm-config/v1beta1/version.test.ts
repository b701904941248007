import { describe, expect, it } from 'vitest';
import { CONVERSION_DATA } from '../../../kube-api/versions/conversion-data.ts';
import { kubeadmConfigTemplate } from '../../kubeadm-config-template/definition.ts';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { kubeadmConfig } from '../definition.ts';

const { toStored, toOld } = conversionsOf(kubeadmConfig);

const OLD_SPEC = `{
  clusterConfiguration: { scheduler: { extraArgs: { v: '2', a: '' } }, etcd: { local: { extraArgs: { q: '8' } } } },
  initConfiguration: { bootstrapTokens: [{ token: abcdef.0123456789abcdef, ttl: 15m0s }] },
  joinConfiguration: {
    nodeRegistration: { kubeletExtraArgs: { node-labels: x=y }, taints: [] },
    discovery: { bootstrapToken: { unsafeSkipCAVerification: true }, timeout: 7m0s } },
  diskSetup: { partitions: [{ device: /dev/sdb, layout: false }] },
  files: [{ path: /a, content: x, append: true }] }`;

const STORED_SPEC = `{
  clusterConfiguration: {
    scheduler: { extraArgs: [{ name: a, value: '' }, { name: v, value: '2' }] },
    etcd: { local: { extraArgs: [{ name: q, value: '8' }] } } },
  initConfiguration: { bootstrapTokens: [{ token: abcdef.0123456789abcdef, ttlSeconds: 900 }] },
  joinConfiguration: {
    nodeRegistration: { kubeletExtraArgs: [{ name: node-labels, value: x=y }], taints: [] },
    discovery: { bootstrapToken: { unsafeSkipCAVerification: true } }, timeouts: { tlsBootstrapSeconds: 420 } },
  diskSetup: { partitions: [{ device: /dev/sdb, layout: false }] },
  files: [{ path: /a, content: x, append: true }] }`;

const template = (spec: string): string => `spec: { template: { spec: ${spec} } }`;

describe('KubeadmConfig v1beta1', () => {
  it('is converted to and from v1beta2 without an annotation', () => {
    const status = { initialization: { dataSecretCreated: true }, dataSecretName: 'a' };
    expect(toStored(`{ spec: ${OLD_SPEC}, status: { ready: true, dataSecretName: a } }`)).toMatchObject({
      metadata: { name: 'any', namespace: 'default' },
      spec: yaml(STORED_SPEC),
      status,
    });
    expect(toOld(`spec: ${STORED_SPEC}`).spec).toEqual(yaml(OLD_SPEC));
  });

  it('is converted in the same way in a template', () => {
    const templates = conversionsOf(kubeadmConfigTemplate);
    expect(templates.toStored(template(OLD_SPEC)).spec).toEqual({ template: { spec: yaml(STORED_SPEC) } });
    expect(templates.toOld(template(STORED_SPEC)).spec).toEqual({ template: { spec: yaml(OLD_SPEC) } });
  });

  it('applies the timeout of the control plane to machines that initialize and machines that join', () => {
    const { spec } = toStored('spec: { clusterConfiguration: { apiServer: { timeoutForControlPlane: 20m } } }');
    const timeouts = { controlPlaneComponentHealthCheckSeconds: 1200 };
    expect(spec).toEqual({ initConfiguration: { timeouts }, joinConfiguration: { timeouts } });
  });

  it('keeps fields that kubeadm now takes from elsewhere', () => {
    const old = `spec: { useExperimentalRetryJoin: true, clusterConfiguration: { kubernetesVersion: v1.30.0 } }`;
    const stored = toStored(old);
    expect(stored.spec).toBeUndefined();
    expect(toOld(JSON.stringify(stored)).spec).toEqual((yaml(old) as { spec: unknown }).spec);
  });

  it('keeps a flag that is given twice in an annotation, because a map cannot hold it', () => {
    const stored =
      'spec: { joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: v, value: "1" }, { name: v, value: "2" }] } } }';
    const old = toOld(stored);
    expect(old.spec).toEqual({ joinConfiguration: { nodeRegistration: { kubeletExtraArgs: { v: '2' } } } });
    expect(JSON.parse(old.metadata.annotations?.[CONVERSION_DATA] ?? '')).toEqual(yaml(stored));
    expect(toStored(JSON.stringify(old)).spec).toEqual((yaml(stored) as { spec: unknown }).spec);
  });
});
