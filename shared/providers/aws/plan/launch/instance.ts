import type { Instance, InstanceNetworkInterface } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../../../kinds/index.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../../plan/status/legacy-conditions.ts';
import { firstPausedClaim } from '../paused.ts';
import { isSpot } from './market.ts';

/** `aws:///<zone>/<instance id>`, the same text as in the AWS cloud provider. */
export const providerIdOf = (zone: string, instanceId: string): string => `aws:///${zone}/${instanceId}`;

/** The id `i-…` in a node's provider id; undefined if it contains no instance. */
export const instanceIdIn = (providerId: string): string | undefined =>
  /^aws:\/\/(?:\/[^/]*)?\/(i-[0-9a-f]+)$/.exec(providerId)?.[1];

type Address = NonNullable<NonNullable<AWSMachine['status']>['addresses']>[number];

type Candidate = [Address['type'], string | undefined];

const isLinkLocal = (address = ''): boolean => /^fe[89ab]/i.test(address);

const ofInterface = (card: InstanceNetworkInterface): Candidate[] => [
  ['InternalDNS', card.PrivateDnsName],
  ['InternalIP', card.PrivateIpAddress],
  ['ExternalDNS', card.Association?.PublicDnsName],
  ['ExternalIP', card.Association?.PublicIp],
  ...(card.Ipv6Addresses ?? [])
    .filter(({ Ipv6Address }) => !isLinkLocal(Ipv6Address))
    .map(({ Ipv6Address }): Candidate => ['InternalIP', Ipv6Address]),
];

const byDevice = (left: InstanceNetworkInterface, right: InstanceNetworkInterface): number =>
  (left.Attachment?.NetworkCardIndex ?? 0) - (right.Attachment?.NetworkCardIndex ?? 0) ||
  (left.Attachment?.DeviceIndex ?? 0) - (right.Attachment?.DeviceIndex ?? 0);

/**
 * The addresses of all interfaces, in upstream's order; EC2 returns the interfaces in any order. The instance's own
 * addresses, which are those of the primary interface, come first: the node has the first private DNS name. Source:
 * CAPA pkg/cloud/services/ec2/instances.go, getInstanceAddresses.
 */
const addressesOf = (instance: Instance): Address[] => {
  const all: Candidate[] = [
    ['InternalDNS', instance.PrivateDnsName],
    ['InternalIP', instance.PrivateIpAddress],
    ['ExternalDNS', instance.PublicDnsName],
    ['ExternalIP', instance.PublicIpAddress],
    ...[...(instance.NetworkInterfaces ?? [])].sort(byDevice).flatMap(ofInterface),
  ];
  const known = all.flatMap(([type, address]) => (address ? [{ type, address }] : []));
  return [...new Map(known.map((one) => [`${one.type} ${one.address}`, one])).values()];
};

const type = 'InstanceReady';

/** Why EC2 has stopped or terminated it: if a machine's volumes cannot be decrypted, nothing else shows it. */
const whyEnded = ({ StateReason: { Code = '', Message = '' } = {} }: Instance): string => {
  const parts = Message.startsWith(Code) && Message !== '' ? [Message] : [Code, Message];
  const why = parts.filter((part) => part !== '').join(': ');
  return why ? ` (${why})` : '';
};

/** InstanceReady by the instance's state, with upstream's reasons. */
const instanceClaim = (state: string, instance: Instance): LegacyClaim => {
  switch (state) {
    case 'running':
      return { type, status: 'True' };
    case 'pending':
      return {
        type,
        status: 'False',
        severity: 'Warning',
        reason: 'InstanceNotReady',
        message: 'the instance is pending',
      };
    case 'stopping':
    case 'stopped':
      return {
        type,
        status: 'False',
        severity: 'Error',
        reason: 'InstanceStopped',
        message: `the instance is ${state}${whyEnded(instance)}`,
      };
    default:
      return {
        type,
        status: 'False',
        severity: 'Error',
        reason: 'InstanceTerminated',
        message: `the instance is ${state}${whyEnded(instance)}`,
      };
  }
};

/** The AWSMachine whose instance cannot be terminated, with upstream's reason. */
export const withTerminationFailed = (machine: AWSMachine, message: string, now: Date): AWSMachine =>
  withLegacyConditions(
    machine,
    [{ type, status: 'False', severity: 'Warning', reason: 'DeletingFailed', message }],
    now,
  );

/** The type that was launched because `spec.instanceType` was not available. */
const LAUNCHED_TYPE_ANNOTATION = 'windlass.dev/instance-type';

const annotated = ({ metadata, spec }: AWSMachine, { InstanceType }: Instance): AWSMachine['metadata'] =>
  InstanceType && InstanceType !== spec.instanceType
    ? { ...metadata, annotations: { ...metadata.annotations, [LAUNCHED_TYPE_ANNOTATION]: InstanceType } }
    : metadata;

/** The AWSMachine with the facts about its instance. */
export const withInstance = (machine: AWSMachine, instance: Instance, now: Date): AWSMachine => {
  const state = instance.State?.Name ?? 'pending';
  const id = instance.InstanceId ?? '';
  const zone = instance.Placement?.AvailabilityZone ?? '';
  const addresses = addressesOf(instance);
  const next: AWSMachine = {
    ...machine,
    metadata: annotated(machine, instance),
    spec: { ...machine.spec, instanceID: id, providerID: machine.spec.providerID ?? providerIdOf(zone, id) },
    status: {
      ...machine.status,
      instanceState: state,
      ready: state === 'running',
      ...(isSpot(machine) ? { interruptible: true } : {}),
      ...(addresses.length > 0 ? { addresses } : {}),
    },
  };
  const groups: LegacyClaim = { type: 'SecurityGroupsReady', status: 'True' };
  return withLegacyConditions(next, [...firstPausedClaim(machine), instanceClaim(state, instance), groups], now);
};
