import { expect, it } from 'vitest';
import type { Instance } from '../ports.ts';
import { kubeletOptions } from './kubelet-options.ts';
import { newNode, nodeStatus } from './node-object.ts';

const INSTANCE: Instance = {
  id: 'vm-1',
  region: '',
  vpcId: '',
  availabilityZone: '',
  imageId: '',
  instanceType: '',
  privateIp: '10.0.0.1',
  privateDnsName: 'one',
};

const options = (flags: Record<string, string>, instance: Instance) => {
  const kubeletExtraArgs = Object.entries(flags).map(([name, value]) => ({ name, value }));
  const registration = { kubeletExtraArgs } as unknown as Parameters<typeof kubeletOptions>[0];
  return kubeletOptions(registration, { nodeName: 'one', version: 'v1.34.0', instance });
};

const EXTERNAL = { 'cloud-provider': 'external' };
const UNINITIALIZED = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };

it.each([
  ['waits for a cloud controller manager', EXTERNAL, undefined, undefined, [UNINITIALIZED]],
  [
    'is initialized as by a cloud controller manager if the machine has a provider id',
    EXTERNAL,
    'any://1',
    'any://1',
    [],
  ],
  ['has no provider id without an external cloud provider', {}, 'any://1', undefined, []],
] as const)('a node %s', (_, flags, providerId, expected, taints) => {
  const found = options(flags, { ...INSTANCE, providerId });
  expect([found.providerId, found.taints]).toEqual([expected, taints]);
});

it.each([
  ['reports its own addresses', {}, ['InternalIP', 'Hostname'], undefined],
  ['leaves its addresses to an external cloud provider', EXTERNAL, ['Hostname'], undefined],
  [
    'reports the address with which it was started',
    { ...EXTERNAL, 'node-ip': '10.0.0.1' },
    ['InternalIP', 'Hostname'],
    '10.0.0.1',
  ],
] as const)('a node %s', (_, flags, types, provided) => {
  const found = options(flags, INSTANCE);
  expect(nodeStatus(found, new Date(0)).addresses?.map(({ type }) => type)).toEqual(types);
  expect(newNode(found).metadata.annotations?.['alpha.kubernetes.io/provided-node-ip']).toBe(provided);
});
