import { expect, it, vi } from 'vitest';
import type { Instance } from '../ports.ts';
import type { WorkloadCluster } from './cluster.ts';
import { makeClusterRegistry } from './registry.ts';

const instance = (id: string, vpcId: string): Instance => ({
  id,
  vpcId,
  region: 'us-east-1',
  availabilityZone: 'us-east-1a',
  imageId: 'ami-1',
  instanceType: 't3.large',
  privateIp: '10.0.0.4',
  privateDnsName: 'ip-10-0-0-4.ec2.internal',
});

it('shows a cluster only the instances of its own VPC, because others may have the same private names', async () => {
  const all = [instance('i-1', 'vpc-1'), instance('i-2', 'vpc-2')];
  const registry = makeClusterRegistry(async () => all);

  const seen = await Promise.all(all.map((one) => registry.instancesBeside(one)()));

  expect(seen.map((some) => some.map(({ id }) => id))).toEqual([['i-1'], ['i-2']]);
});

it('closes a cluster with its last member, and not because new members have the names of earlier ones', () => {
  const registry = makeClusterRegistry(async () => []);
  const close = vi.fn();
  registry.add({ uid: 'u', etcd: { names: () => ['host-1', 'host-2'] }, close } as unknown as WorkloadCluster);

  registry.lose('u', 'host-1');
  registry.gain('u', 'host-1');
  registry.lose('u', 'host-2');
  expect([registry.find('u')?.uid, close.mock.calls.length]).toEqual(['u', 0]);
  registry.lose('u', 'host-1');
  expect([registry.find('u'), close.mock.calls.length]).toEqual([undefined, 1]);
});
