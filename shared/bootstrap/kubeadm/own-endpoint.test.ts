import { describe, expect, it } from 'vitest';
import { ownEndpoint } from './own-endpoint.ts';
import type { KubeadmConfigSpec } from './spec.ts';

const at = (host: string, port = 6443, spec: KubeadmConfigSpec = {}) =>
  ownEndpoint({ name: 'demo', endpoint: { host, port }, version: 'v1.35.4' }, spec);
const bound = (value: string): KubeadmConfigSpec => ({
  clusterConfiguration: { apiServer: { extraArgs: [{ name: 'bind-address', value }] } },
});

describe('ownEndpoint', () => {
  it('maps the name of a load balancer to the machine', () => {
    const own = { host: 'demo.elb.us-east-1.amazonaws.com', port: 6443, address: '127.0.0.1' };
    expect(at('demo.elb.us-east-1.amazonaws.com')).toEqual(own);
  });

  it('uses the endpoint that the user set for kubeadm', () => {
    const named = (controlPlaneEndpoint: string) =>
      at('lb.example.com', 6443, { clusterConfiguration: { controlPlaneEndpoint } });

    expect(named('api.example.com:6443')).toMatchObject({ host: 'api.example.com', port: 6443 });
    expect(named('api.example.com')).toMatchObject({ host: 'api.example.com', port: 6443 });
    expect(named('10.0.0.1:6443')).toBeUndefined();
    expect(named('[fd00::1]:6443')).toBeUndefined();
  });

  it('does not map an IP address or another port to the machine', () => {
    expect([at('10.0.0.1'), at('fd00::1'), at('lb.example.com', 443)]).toEqual([undefined, undefined, undefined]);
    const spec = { initConfiguration: { localAPIEndpoint: { advertiseAddress: '10.0.0.1', bindPort: 443 } } };
    expect(at('lb.example.com', 443, spec)?.port).toBe(443);
  });

  it('uses the address on which the API server listens', () => {
    expect(
      ['0.0.0.0', '::', '10.0.0.9', 'fd00::9'].map((each) => at('lb.example.com', 6443, bound(each))?.address),
    ).toEqual(['127.0.0.1', '127.0.0.1', '10.0.0.9', 'fd00::9']);
    expect(at('lb.example.com', 6443, bound('{{ ds.meta_data.local_ipv4 }}'))).toBeUndefined();
  });

  it("keeps the mapping if the load balancer cannot send the machine's packets back to it", () => {
    const endpoint = { host: 'lb.example.com', port: 6443, preservesClientAddress: true };
    expect(ownEndpoint({ name: 'demo', endpoint, version: 'v1.35.4' }, {})).toMatchObject({ stays: true });
    expect(at('lb.example.com')).not.toHaveProperty('stays');
    // The user's own endpoint is not this load balancer.
    const spec: KubeadmConfigSpec = { clusterConfiguration: { controlPlaneEndpoint: 'api.example.com:6443' } };
    expect(ownEndpoint({ name: 'demo', endpoint, version: 'v1.35.4' }, spec)).not.toHaveProperty('stays');
  });

  it('ignores a name that a shell could interpret', () => {
    expect(at("lb'; reboot")).toBeUndefined();
  });
});
