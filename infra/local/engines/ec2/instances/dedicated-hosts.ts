import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { type FilterFields, isKeyFilter } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { DedicatedHost, Instance } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import { stateAt } from '../timeline.ts';
import { instanceTypeFacts, isOffered } from './types.ts';

/** The number of vCPUs of most families' hosts. */
const VCPUS = 96;

const instancesOn = (ec2: Ec2, hostId: string): Instance[] =>
  ec2.instances
    .all()
    .filter(({ placement, timeline }) => placement.HostId === hostId && stateAt(timeline, ec2.now()) !== 'terminated');

const usedOn = (ec2: Ec2, hostId: string): number =>
  instancesOn(ec2, hostId).reduce((sum, { vcpus }) => sum + vcpus, 0);

/** Whether a launch fits on the host that it names. Throws EC2's fault. */
export const checkHost = (
  ec2: Ec2,
  placement: sdk.Placement | undefined,
  wanted: { type: string; zone: string; vcpus: number },
): void => {
  if (!placement?.HostId) return;
  const host = ec2.dedicatedHosts.get(placement.HostId);
  if (placement.Tenancy !== 'host')
    throw new AwsFault('InvalidParameterCombination', 'A host may be named with the tenancy host only.');
  if (host.isReleased)
    throw new AwsFault('InvalidHostState', `The Dedicated Host ${host.id} is in the state released.`);
  if (host.zone !== wanted.zone || host.instanceType !== wanted.type)
    throw new AwsFault(
      'InvalidHostConfiguration',
      `The Dedicated Host ${host.id} is for ${host.instanceType} in ${host.zone}.`,
    );
  if (usedOn(ec2, host.id) + wanted.vcpus > VCPUS)
    throw new AwsFault('InsufficientCapacityOnHost', `There is not enough capacity on the Dedicated Host ${host.id}.`);
};

const checkAllocation = (ec2: Ec2, type: string, zone: string): void => {
  if (!instanceTypeFacts(type))
    throw new AwsFault('InvalidParameterValue', `Invalid value '${type}' for InstanceType.`);
  const isGap = ec2.settings.capacityGaps.some(
    (gap) => (gap.zone ?? zone) === zone && (gap.instanceType ?? type) === type,
  );
  if (isGap || !isOffered(zone, type))
    throw new AwsFault('InsufficientHostCapacity', `There is not enough capacity for ${type} hosts in ${zone}.`, 500);
};

const allocate = (ec2: Ec2, input: sdk.AllocateHostsRequest): DedicatedHost => {
  onlySimulated('ec2:AllocateHosts', input, [
    'AutoPlacement',
    'AvailabilityZone',
    'ClientToken',
    'InstanceType',
    'Quantity',
    'TagSpecifications',
  ]);
  const { InstanceType = '', AvailabilityZone = '', ClientToken, AutoPlacement = 'on' } = input;
  if (input.Quantity !== 1) throw notSimulated('more than one host in a call');
  if (AutoPlacement !== 'off') throw notSimulated('hosts that EC2 places instances on by itself');
  const before = ec2.dedicatedHosts.all().find(({ clientToken }) => ClientToken && clientToken === ClientToken);
  if (before) return before;
  checkAllocation(ec2, InstanceType, AvailabilityZone);
  return ec2.dedicatedHosts.add({
    ...ec2.born(KINDS.dedicatedHost, tagsFor(input.TagSpecifications, 'dedicated-host')),
    instanceType: InstanceType,
    zone: AvailabilityZone,
    clientToken: ClientToken,
    isReleased: false,
  });
};

const stateOf = ({ isReleased }: DedicatedHost): sdk.AllocationState => (isReleased ? 'released' : 'available');

/** All filters in the reference of DescribeHosts. For tags, it filters only by their keys. */
const fields: FilterFields<DedicatedHost> = {
  'auto-placement': () => 'off',
  'availability-zone': ({ zone }) => zone,
  'client-token': ({ clientToken }) => clientToken,
  'host-reservation-id': () => undefined,
  'instance-type': ({ instanceType }) => instanceType,
  state: stateOf,
};

const view = (ec2: Ec2, host: DedicatedHost): sdk.Host => ({
  HostId: host.id,
  AvailabilityZone: host.zone,
  State: stateOf(host),
  AutoPlacement: 'off',
  ClientToken: host.clientToken,
  OwnerId: ec2.place.accountId,
  AllocationTime: new Date(host.createdAt),
  HostProperties: { InstanceType: host.instanceType, TotalVCpus: VCPUS },
  AvailableCapacity: { AvailableVCpus: VCPUS - usedOn(ec2, host.id) },
  Instances: instancesOn(ec2, host.id).map(({ id, instanceType }) => ({ InstanceId: id, InstanceType: instanceType })),
  Tags: tagList(host.tags),
});

const release = (ec2: Ec2, id: string): sdk.UnsuccessfulItem | undefined => {
  const host = ec2.dedicatedHosts.find(id);
  const refusal = (Code: string, Message: string) => ({ ResourceId: id, Error: { Code, Message } });
  if (!host) return refusal('InvalidHostID.NotFound', `The Dedicated Host ID '${id}' does not exist`);
  if (instancesOn(ec2, id).length > 0)
    return refusal('InvalidHost.Occupied', `Dedicated host ${id} cannot be released as it is occupied`);
  host.isReleased = true;
  return undefined;
};

/** Dedicated Hosts that instances name. */
export const dedicatedHostActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  AllocateHosts: (input) => ({ HostIds: [allocate(ec2, input).id] }),
  DescribeHosts: ({ HostIds, Filter, MaxResults, NextToken }) => {
    const question = { ids: HostIds, filters: Filter, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.dedicatedHosts, question, fields, isKeyFilter);
    return { Hosts: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  ReleaseHosts: ({ HostIds = [] }) => {
    const refused = HostIds.flatMap((id) => release(ec2, id) ?? []);
    const isRefused = (id: string) => refused.some(({ ResourceId }) => ResourceId === id);
    return { Successful: HostIds.filter((id) => !isRefused(id)), Unsuccessful: refused };
  },
});
