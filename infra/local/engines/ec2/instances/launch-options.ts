/** The options of a launch apart from image, type and network, validated by EC2's rules. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, notSimulated, onlySimulated } from '../../wire/fault.ts';
import type { Ec2 } from '../state.ts';

const checkGroup = (ec2: Ec2, { GroupName, PartitionNumber }: sdk.Placement): void => {
  if (GroupName === undefined) {
    if (PartitionNumber !== undefined)
      throw new AwsFault('InvalidParameterCombination', 'The partition number needs a placement group.');
    return;
  }
  const group = ec2.settings.placementGroups.find(({ name }) => name === GroupName);
  if (!group) throw new AwsFault('InvalidPlacementGroup.Unknown', `The Placement Group '${GroupName}' is unknown.`);
  if (PartitionNumber !== undefined && PartitionNumber > (group.partitions ?? 0))
    throw new AwsFault(
      'InvalidParameterValue',
      `The partition number ${PartitionNumber} is not one of placement group '${GroupName}'.`,
    );
};

const checkPlacement = (ec2: Ec2, placement: sdk.Placement = {}): void => {
  onlySimulated('ec2:RunInstances Placement', placement, [
    'AvailabilityZone',
    'Tenancy',
    'GroupName',
    'PartitionNumber',
    'HostId',
    'Affinity',
  ]);
  if (placement.Tenancy === 'host' && !placement.HostId)
    throw notSimulated('the tenancy host without the id of a host');
  checkGroup(ec2, placement);
};

const checkReservation = (ec2: Ec2, input: sdk.RunInstancesRequest): void => {
  const wanted = input.CapacityReservationSpecification?.CapacityReservationTarget;
  const id = wanted?.CapacityReservationId;
  if (wanted && id === undefined) throw notSimulated('a group of capacity reservations');
  if (id === undefined) return;
  const reservation = ec2.settings.capacityReservations.find((one) => one.id === id);
  if (!reservation)
    throw new AwsFault('InvalidCapacityReservationId.NotFound', `The capacity reservation '${id}' does not exist.`);
  if (reservation.instanceType !== input.InstanceType)
    throw new AwsFault('InvalidParameterValue', `The instance type is not that of capacity reservation '${id}'.`);
  if (reservation.available < (input.MaxCount ?? 1))
    throw new AwsFault('ReservationCapacityExceeded', `Capacity reservation '${id}' has no capacity left.`);
};

const checkSpot = (ec2: Ec2, { InstanceMarketOptions: market, MaxCount = 1 }: sdk.RunInstancesRequest): void => {
  if (market?.MarketType !== undefined && market.MarketType !== 'spot')
    throw notSimulated(`the market type ${market.MarketType}`);
  if (market?.MarketType !== 'spot') return;
  const price = market.SpotOptions?.MaxPrice;
  if (price !== undefined && Number(price) < ec2.settings.spotPrice)
    throw new AwsFault(
      'SpotMaxPriceTooLow',
      `Your Spot request price of ${price} is lower than the minimum required Spot request fulfillment price of ${ec2.settings.spotPrice}.`,
    );
  const running = ec2.instances.all().filter(({ isSpot, timeline }) => isSpot && timeline.at(-1)?.state === 'running');
  if (running.length + MaxCount > ec2.settings.quotas.spotInstances)
    throw new AwsFault('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded');
};

const checkProfile = (ec2: Ec2, { IamInstanceProfile: profile }: sdk.RunInstancesRequest): void => {
  const name = profile?.Name;
  if (name === undefined || !ec2.settings.missingInstanceProfiles.includes(name)) return;
  throw new AwsFault(
    'InvalidParameterValue',
    `Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`,
  );
};

/** Throws EC2's faults. SEV-SNP and nested virtualization need types that are not in the catalogue. */
export const checkOptions = (ec2: Ec2, input: sdk.RunInstancesRequest): void => {
  checkPlacement(ec2, input.Placement);
  checkReservation(ec2, input);
  checkSpot(ec2, input);
  checkProfile(ec2, input);
  const { AmdSevSnp, NestedVirtualization, ...others } = input.CpuOptions ?? {};
  onlySimulated('ec2:RunInstances CpuOptions', others, []);
  if (AmdSevSnp === 'enabled' || NestedVirtualization === 'enabled')
    throw new AwsFault('Unsupported', `The instance type ${input.InstanceType} does not support these CPU options.`);
};
