import type { Instance, InstanceNetworkInterfaceAttachment } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import type { AWSMachine } from '../../../../kinds/index.ts';
import { providerIdOf, withInstance } from './instance.ts';

const awsMachine = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'm-1', namespace: 'default' },
  spec: { instanceType: 't3.large' },
} as AWSMachine;

describe('withInstance', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const seen = (state: 'pending' | 'running' | 'terminated') =>
    withInstance(
      awsMachine,
      {
        InstanceId: 'i-1',
        State: { Name: state },
        Placement: { AvailabilityZone: 'us-east-1a' },
        PrivateIpAddress: '10.0.0.1',
      },
      now,
    );

  it.each([
    { state: 'pending' as const, ready: false, reason: 'InstanceNotReady' },
    { state: 'running' as const, ready: true, reason: undefined },
    { state: 'terminated' as const, ready: false, reason: 'InstanceTerminated' },
  ])('sets ready to $ready when the instance is $state', ({ state, ready, reason }) => {
    const { spec, status } = seen(state);
    expect(spec).toMatchObject({ instanceID: 'i-1', providerID: providerIdOf('us-east-1a', 'i-1') });
    expect(status).toMatchObject({
      ready,
      instanceState: state,
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    });
    expect(status?.conditions?.find(({ type }) => type === 'InstanceReady')?.reason).toBe(reason);
  });

  it("reports EC2's reason why an instance has ended", () => {
    const told = (StateReason: Instance['StateReason']) =>
      withInstance(
        awsMachine,
        { InstanceId: 'i-1', State: { Name: 'terminated' }, ...(StateReason ? { StateReason } : {}) },
        now,
      ).status?.conditions?.find(({ type }) => type === 'InstanceReady')?.message;
    const Code = 'Client.InternalError';
    expect(told({ Code, Message: `${Code}: Client error on launch` })).toBe(
      'the instance is terminated (Client.InternalError: Client error on launch)',
    );
    expect(told({ Code })).toBe('the instance is terminated (Client.InternalError)');
    expect(told({ Code: 'Client.VolumeLimitExceeded', Message: 'Volume limit exceeded' })).toBe(
      'the instance is terminated (Client.VolumeLimitExceeded: Volume limit exceeded)',
    );
    expect(told(undefined)).toBe('the instance is terminated');
  });

  const PRIMARY = { type: 'InternalIP', address: '10.0.0.1' };
  const addresses = (instance: Instance) =>
    withInstance(awsMachine, { ...instance, InstanceId: 'i-1', PrivateIpAddress: '10.0.0.1' }, now).status?.addresses;

  it('lists the addresses of all interfaces, the primary one first, whatever the order of the answer', () => {
    const secondary = {
      Attachment: { DeviceIndex: 1 },
      PrivateDnsName: 'ip-10-0-9-9.ec2.internal',
      PrivateIpAddress: '10.0.9.9',
      Association: { PublicDnsName: 'ec2-203.example', PublicIp: '203.0.113.9' },
    };
    const primary = {
      Attachment: { DeviceIndex: 0 },
      PrivateIpAddress: '10.0.0.1',
      Ipv6Addresses: [{ Ipv6Address: '2001:db8::1' }, { Ipv6Address: 'fe80::1' }],
    };
    expect(addresses({ NetworkInterfaces: [secondary, primary] })).toEqual([
      PRIMARY,
      { type: 'InternalIP', address: '2001:db8::1' },
      { type: 'InternalDNS', address: 'ip-10-0-9-9.ec2.internal' },
      { type: 'InternalIP', address: '10.0.9.9' },
      { type: 'ExternalDNS', address: 'ec2-203.example' },
      { type: 'ExternalIP', address: '203.0.113.9' },
    ]);
  });

  it('sorts interfaces by network card and device, with unnumbered ones first', () => {
    const at = (PrivateIpAddress: string, Attachment?: InstanceNetworkInterfaceAttachment) => ({
      ...{ PrivateIpAddress, ...(Attachment ? { Attachment } : {}) },
    });
    const NetworkInterfaces = [
      at('10.0.0.5', { NetworkCardIndex: 1, DeviceIndex: 0 }),
      at('10.0.0.4', { NetworkCardIndex: 0, DeviceIndex: 2 }),
      at('10.0.0.3', { DeviceIndex: 1 }),
      at('10.0.0.2'),
    ];
    const sorted = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'];
    expect(addresses({ NetworkInterfaces })?.map(({ address }) => address)).toEqual(sorted);
    expect(addresses({ NetworkInterfaces: NetworkInterfaces.toReversed() })?.map(({ address }) => address)).toEqual(
      sorted,
    );
  });

  it('begins the addresses with the name of the instance, after which its node is named', () => {
    const card = { PrivateDnsName: 'ip-10-0-0-1.ec2.internal', PrivateIpAddress: '10.0.0.1' };
    expect(addresses({ PrivateDnsName: 'i-1.ec2.internal', NetworkInterfaces: [card] })).toEqual([
      { type: 'InternalDNS', address: 'i-1.ec2.internal' },
      PRIMARY,
      { type: 'InternalDNS', address: 'ip-10-0-0-1.ec2.internal' },
    ]);
  });
});
