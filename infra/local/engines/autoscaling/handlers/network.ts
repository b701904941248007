/** The subnets and zones in which a group launches its instances. */
import type { Group } from '../records.ts';
import { type AutoScaling, validationError } from '../state.ts';

export interface NetworkInput {
  readonly VPCZoneIdentifier?: string;
  readonly AvailabilityZones?: readonly string[];
}

type Network = Pick<Group, 'subnetIds' | 'zones' | 'namesSubnets'>;

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** The subnets and zones that a call names. Throws a ValidationError if there are none or they do not match. */
export const readNetwork = (as: AutoScaling, { VPCZoneIdentifier, AvailabilityZones }: NetworkInput): Network => {
  const { ec2 } = as.neighbours;
  const zones = unique(AvailabilityZones ?? []);
  const ids = unique((VPCZoneIdentifier ?? '').split(',').map((id) => id.trim())).filter((id) => id !== '');
  if (ids.length === 0 && zones.length === 0)
    throw validationError('At least one Availability Zone or VPC Subnet is required.');
  if (ids.length === 0) {
    const defaults = ec2.subnets.all().filter(({ isDefault, zone }) => isDefault && zones.includes(zone));
    const missing = zones.find((zone) => !defaults.some((subnet) => subnet.zone === zone));
    if (missing !== undefined) throw validationError(`Invalid Availability Zone: ${missing}`);
    return { subnetIds: defaults.map(({ id }) => id), zones, namesSubnets: false };
  }
  const unknown = ids.filter((id) => !ec2.subnets.find(id));
  if (unknown.length > 0) throw validationError(`The subnet ID '${unknown.join(', ')}' does not exist`);
  const subnets = ids.flatMap((id) => ec2.subnets.find(id) ?? []);
  if (unique(subnets.map(({ vpcId }) => vpcId)).length > 1)
    throw validationError('The specified subnets are not all in the same VPC.');
  const theirs = unique(subnets.map(({ zone }) => zone));
  if (
    zones.length > 0 &&
    (zones.some((zone) => !theirs.includes(zone)) || theirs.some((zone) => !zones.includes(zone)))
  )
    throw validationError('The availability zones of the specified subnets and the Auto Scaling group do not match');
  return { subnetIds: ids, zones: theirs, namesSubnets: true };
};
