import { describe, expect, it } from 'vitest';
import { loadBalancerName, targetGroupNames } from './names.ts';
import { awsCluster } from './test-load-balancing.ts';

describe('names', () => {
  it('are readable if they fit', () => {
    expect(loadBalancerName({ namespace: 'default', name: 'red.eu' }, undefined)).toBe('default-red-eu-apiserver');
  });

  it('are a hash with a suffix if they do not', () => {
    const name = loadBalancerName({ namespace: 'default', name: 'a-cluster-with-a-rather-long-name' }, undefined);

    // Python: [byte % 36 for byte in hashlib.blake2b(b'default-a-cluster-with-a-rather-long-name', digest_size=28).digest()]
    expect(name).toBe('laou5z1n62q4yzcqruv139m4jixr-k8s');
  });

  it('are a hash if AWS reserves their prefix, except for classic load balancers', () => {
    const classic = awsCluster({ controlPlaneLoadBalancer: { loadBalancerType: 'classic' } });
    const named = { ...classic, spec: { ...classic.spec, controlPlaneLoadBalancer: { name: 'internal-x' } } };

    expect(loadBalancerName({ namespace: 'internal', name: 'red' }, undefined)).toMatch(/^[0-9a-z]{28}-k8s$/);
    expect(loadBalancerName({ namespace: 'internals', name: 'red' }, undefined)).toBe('internals-red-apiserver');
    expect(loadBalancerName({ namespace: 'default', name: 'internal-red' }, classic)).toBe('internal-red-apiserver');
    expect(loadBalancerName({ namespace: 'default', name: 'red' }, named)).toBe('internal-x');
  });

  it('of classic load balancers omit the namespace, as upstream, and stay if they exist', () => {
    const cluster = { namespace: 'default', name: 'red' };
    const classic = awsCluster({ controlPlaneLoadBalancer: { loadBalancerType: 'classic' } });
    const standing = { ...classic, status: { networkStatus: { apiServerElb: { name: 'old' } } } };

    expect(loadBalancerName(cluster, classic)).toBe('red-apiserver');
    expect(loadBalancerName(cluster, standing)).toBe('old');
  });

  it('of target groups are the same for the same cluster and port, and differ otherwise', () => {
    const names = targetGroupNames('uid-1', 6443, true);

    expect(names).toEqual(targetGroupNames('uid-1', 6443, true));
    expect(new Set([...names, ...targetGroupNames('uid-2', 6443, true)])).toHaveLength(8);
    expect(names[0]).toMatch(/^apiserver-target-[0-9a-z]{5}$/);
    expect(targetGroupNames('uid-1', 8132, false)[0]).toMatch(/^additional-listener-[0-9a-z]{5}$/);
  });
});
