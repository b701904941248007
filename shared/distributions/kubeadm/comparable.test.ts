import { describe, expect, it } from 'vitest';
import type { KubeadmConfigSpec } from '../../kinds/index.ts';
import { isSameConfig } from './comparable.ts';
import { joinSpec } from './machine-spec.ts';

const VERSION = 'v1.35.0';
const nodeRegistration = { name: 'n' };
const owner: KubeadmConfigSpec = {
  clusterConfiguration: { apiServer: { certSANs: ['a'] } },
  initConfiguration: { nodeRegistration },
  joinConfiguration: { nodeRegistration },
};
const base = joinSpec(owner, VERSION);
const join = (change: object) => ({ ...base, joinConfiguration: { ...base.joinConfiguration, ...change } });
const cluster = (change: object) => ({ ...base, clusterConfiguration: { ...base.clusterConfiguration, ...change } });
const isSame = (spec: object, control: object = owner) => isSameConfig(spec, control, VERSION);

describe("the comparison of a control plane machine's configuration", () => {
  it.each([
    ['CoreDNS', cluster({ dns: { imageTag: 'v1.12.1' } })],
    ['the endpoint', cluster({ controlPlaneEndpoint: 'a:6443' })],
    ['empty parts', cluster({ scheduler: { extraArgs: [] }, etcd: {} })],
    ['discovery', join({ discovery: { tlsBootstrapToken: 'x' } })],
    ['the timeout of the health check', join({ timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } })],
    ['a feature gate that the machine has by default', cluster({ featureGates: {} })],
    ['an explicit default', join({ nodeRegistration: { ...nodeRegistration, imagePullPolicy: 'IfNotPresent' } })],
    ['the default format', { ...base, format: 'cloud-config' }],
  ])('ignores %s', (_what, spec) => {
    expect(isSame(spec)).toBe(true);
  });

  it.each([
    ['an argument', cluster({ scheduler: { extraArgs: [{ name: 'v', value: '2' }] } })],
    ['a timeout', join({ timeouts: { discoverySeconds: 9 } })],
    ['no taints instead of the default one', join({ nodeRegistration: { ...nodeRegistration, taints: [] } })],
    ['a command', { ...base, preKubeadmCommands: ['true'] }],
    ['a disabled feature gate', cluster({ featureGates: { ControlPlaneKubeletLocalMode: false } })],
  ])('detects %s', (_what, spec) => {
    expect(isSame(spec)).toBe(false);
  });

  it('finds no difference if nothing is set', () => {
    expect(isSame({}, {})).toBe(true);
  });
});

describe('the first machine of a control plane', () => {
  const { joinConfiguration: _join, ...first } = { ...base, initConfiguration: owner.initConfiguration };

  it('matches the others if it has the same settings', () => {
    expect(isSame(first)).toBe(true);
    expect(isSame({ ...first, preKubeadmCommands: ['true'] })).toBe(false);
  });

  it('is compared with the settings for the others, unless the control plane has different ones for the first', () => {
    const renamed = { joinConfiguration: { nodeRegistration: { name: 'm' } } };
    expect(isSame(first, { ...owner, ...renamed })).toBe(true);
    expect(isSame(first, { ...owner, ...renamed, initConfiguration: renamed.joinConfiguration })).toBe(false);
  });

  it('matches if an earlier release recorded it with the whole configuration of its control plane', () => {
    const other = { ...owner, initConfiguration: { skipPhases: ['addon/kube-proxy'] } };
    expect(isSame(other)).toBe(true);
    expect(isSame({ ...other, joinConfiguration: {} })).toBe(false);
  });
});
