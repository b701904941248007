import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { AWSMachine } from '../../../kinds/index.ts';
import { findUninitialized, initializationOf, nodeAddressesOf } from './node-initialization.ts';

const PROVIDER_ID = 'aws:///us-west-2-lax-1a/i-0123';
const DNS = 'ip-10-0-0-7.us-west-2.compute.internal';
const TAINT = { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' };

const infrastructure: AWSMachine = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'm' },
  spec: { instanceType: 'm5.large', instanceID: 'i-0123', providerID: PROVIDER_ID },
  status: {
    addresses: [
      { type: 'InternalDNS', address: DNS },
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'ExternalDNS', address: 'ec2-198.example' },
      { type: 'ExternalIP', address: '198.18.0.7' },
    ],
  },
};
const node = (
  name: string,
  {
    providerID,
    annotations,
    ip,
    taints = [TAINT],
  }: V1Node['spec'] & { annotations?: Record<string, string>; ip?: string } = {},
): V1Node => ({
  metadata: { name, resourceVersion: '7', ...(annotations ? { annotations } : {}) },
  spec: { ...(providerID ? { providerID } : {}), taints },
  ...(ip ? { status: { addresses: [{ type: 'InternalIP', address: ip }] } } : {}),
});

describe('the node that waits to be initialized', () => {
  const other = node('ip-10-0-0-8.us-west-2.compute.internal');
  it.each([
    { why: 'its name is the private DNS name', nodes: [other, node(DNS)], found: DNS },
    { why: 'its name is the instance id', nodes: [other, node('i-0123')], found: 'i-0123' },
    {
      why: 'its name is the instance id with a domain',
      nodes: [node('i-0123.ec2.internal')],
      found: 'i-0123.ec2.internal',
    },
    { why: 'it has the provider id', nodes: [node('any', { providerID: PROVIDER_ID })], found: 'any' },
    {
      why: 'the domain is that of the DHCP options',
      nodes: [other, node('ip-10-0-0-7.corp.example', { ip: '10.0.0.7' })],
      found: 'ip-10-0-0-7.corp.example',
    },
    { why: 'the DHCP options have no domain', nodes: [node('ip-10-0-0-7')], found: 'ip-10-0-0-7' },
    { why: 'only one of two nodes has the complete name', nodes: [node('ip-10-0-0-7'), node(DNS)], found: DNS },
    {
      why: 'a machine of another network has its host name',
      nodes: [node('ip-10-0-0-7.dc.example', { ip: '192.168.0.7' })],
      found: undefined,
    },
    {
      why: 'a kubelet with its host name was started with another address',
      nodes: [
        node('ip-10-0-0-7.dc.example', { annotations: { 'alpha.kubernetes.io/provided-node-ip': '192.168.0.7' } }),
      ],
      found: undefined,
    },
    {
      why: 'two nodes have its host name',
      nodes: [node('ip-10-0-0-7.corp.example'), node('ip-10-0-0-7')],
      found: undefined,
    },
    { why: 'its name only begins with the host name', nodes: [node('ip-10-0-0-70.corp.example')], found: undefined },
    { why: 'its name only begins with the instance id', nodes: [node('i-01234')], found: undefined },
    { why: 'the names of two nodes match', nodes: [node(DNS), node('i-0123')], found: undefined },
    {
      why: 'the node of that name is another instance',
      nodes: [node(DNS, { providerID: 'aws:///z/i-9' })],
      found: undefined,
    },
    { why: 'it is initialized', nodes: [node('any', { providerID: PROVIDER_ID, taints: [] })], found: undefined },
    { why: 'it does not wait', nodes: [node(DNS, { taints: [] })], found: undefined },
  ])('is $found: $why', ({ nodes, found }) => {
    expect(findUninitialized(nodes, infrastructure)?.metadata?.name).toBe(found);
  });
});

describe('the initialization of a node', () => {
  it('sets the provider id and labels, and removes only the taint for the initialization', () => {
    const kept = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    expect(initializationOf(node(DNS, { taints: [TAINT, kept] }), infrastructure, undefined)).toEqual({
      resourceVersion: '7',
      providerID: PROVIDER_ID,
      labels: {
        'node.kubernetes.io/instance-type': 'm5.large',
        'beta.kubernetes.io/instance-type': 'm5.large',
        'topology.kubernetes.io/zone': 'us-west-2-lax-1a',
        'failure-domain.beta.kubernetes.io/zone': 'us-west-2-lax-1a',
        'topology.kubernetes.io/region': 'us-west-2',
        'failure-domain.beta.kubernetes.io/region': 'us-west-2',
      },
      taints: [kept],
    });
    expect(initializationOf(node('x', { providerID: PROVIDER_ID }), infrastructure, 'r')).not.toHaveProperty(
      'providerID',
    );
  });

  it('sets the addresses of the instance, with the private DNS name as host name', () => {
    expect(nodeAddressesOf(node(DNS), infrastructure)).toEqual([
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'ExternalIP', address: '198.18.0.7' },
      { type: 'InternalDNS', address: DNS },
      { type: 'Hostname', address: DNS },
      { type: 'ExternalDNS', address: 'ec2-198.example' },
    ]);
    expect(nodeAddressesOf(node(DNS), { ...infrastructure, status: {} })).toBeUndefined();
  });

  it('uses the address with which the kubelet was started', () => {
    const provided = (ip: string) => ({ annotations: { 'alpha.kubernetes.io/provided-node-ip': ip } });
    const [first] = nodeAddressesOf(node(DNS, provided('198.18.0.7')), infrastructure) as object[];
    expect(first).toEqual({ type: 'ExternalIP', address: '198.18.0.7' });
    expect(nodeAddressesOf(node(DNS, provided('10.9.9.9')), infrastructure)).toContain('no address 10.9.9.9');
  });

  describe('of an instance with further addresses', () => {
    const further = [
      { type: 'InternalIP', address: '2001:db8::7' },
      { type: 'InternalDNS', address: 'ip-10-0-9-9.us-west-2.compute.internal' },
      { type: 'InternalIP', address: '10.0.9.9' },
    ] as const;
    const larger = {
      ...infrastructure,
      status: { addresses: [...(infrastructure.status?.addresses ?? []), ...further] },
    };

    it('sets the primary address of each type', () => {
      expect(nodeAddressesOf(node(DNS), larger)).toEqual(nodeAddressesOf(node(DNS), infrastructure));
    });

    it('sets the addresses of both families with which the kubelet was started', () => {
      const annotations = { 'alpha.kubernetes.io/provided-node-ip': '10.0.0.7,2001:db8::7' };
      const found = nodeAddressesOf(node(DNS, { annotations }), larger) as { type: string; address: string }[];
      expect(found.filter(({ type }) => type === 'InternalIP').map(({ address }) => address)).toEqual([
        '10.0.0.7',
        '2001:db8::7',
      ]);
      expect(found.map(({ type }) => type)).toContain('Hostname');
    });

    it('finds a node that is named after a further interface', () => {
      const name = 'ip-10-0-9-9.us-west-2.compute.internal';
      expect(findUninitialized([node(name)], larger)?.metadata?.name).toBe(name);
    });
  });
});
