import { describe, expect, it } from 'vitest';
import { comparable } from './comparable.ts';

const base = {
  clusterConfiguration: { apiServer: { certSANs: ['a'] } },
  joinConfiguration: { nodeRegistration: { name: 'n' } },
};
const join = (change: object) => ({ ...base, joinConfiguration: { ...base.joinConfiguration, ...change } });
const cluster = (change: object) => ({ ...base, clusterConfiguration: { ...base.clusterConfiguration, ...change } });

describe('what makes a control plane machine another', () => {
  it.each([
    ['CoreDNS', cluster({ dns: { imageTag: 'v1.12.1' } })],
    ['the endpoint', cluster({ controlPlaneEndpoint: 'a:6443' })],
    ['empty parts', cluster({ scheduler: { extraArgs: [] }, etcd: {} })],
    ['discovery', join({ discovery: { tlsBootstrapToken: 'x' } })],
    ['the timeout of the health check', join({ timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } })],
    ['what only the first machine does', { ...base, initConfiguration: { skipPhases: ['addon'] } }],
  ])('is not %s', (_what, spec) => {
    expect(comparable(spec)).toEqual(comparable(base));
  });

  it.each([
    ['an argument', cluster({ scheduler: { extraArgs: [{ name: 'v', value: '2' }] } })],
    ['a timeout', join({ timeouts: { discoverySeconds: 9 } })],
    ['no taints in place of the usual one', join({ nodeRegistration: { name: 'n', taints: [] } })],
    ['a command', { ...base, preKubeadmCommands: ['true'] }],
  ])('is %s', (_what, spec) => {
    expect(comparable(spec)).not.toEqual(comparable(base));
  });

  it('is nothing where nothing is said', () => {
    expect(comparable(undefined)).toEqual({});
  });
});
