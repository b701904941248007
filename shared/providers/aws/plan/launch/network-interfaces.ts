import type { InstanceNetworkInterfaceSpecification } from '@aws-sdk/client-ec2';
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import type { LaunchPlace } from './subnet.ts';

/** The interfaces that a machine specifies; its instance has no others. */
export const givenInterfaces = ({ spec }: AWSMachine): readonly string[] => spec.networkInterfaces ?? [];

/** Whether the machine gets an address from a pool. It can only be associated once the instance is running. */
const hasAddressPool = ({ spec }: AWSMachine): boolean => Boolean(spec.elasticIpPool?.publicIpv4Pool);

/**
 * Load balancers reach an instance in IPv6 target groups at its primary address. By default, this depends on whether
 * the subnet has IPv6.
 */
const hasPrimaryIpv6 = ({ spec }: AWSMachine, awsCluster: AWSCluster, { hasIpv6 }: LaunchPlace): boolean => {
  const isDual = awsCluster.spec.network?.vpc?.ipv6 !== undefined;
  return isDual && hasIpv6 && spec.assignPrimaryIPv6 !== 'disabled';
};

const newInterface = (
  machine: AWSMachine,
  awsCluster: AWSCluster,
  place: LaunchPlace,
  groups: readonly string[],
): InstanceNetworkInterfaceSpecification => {
  const publicIp = hasAddressPool(machine) ? false : machine.spec.publicIP;
  return {
    DeviceIndex: 0,
    SubnetId: place.id,
    Groups: [...groups],
    DeleteOnTermination: true,
    ...(publicIp === undefined ? {} : { AssociatePublicIpAddress: publicIp }),
    ...(hasPrimaryIpv6(machine, awsCluster, place) ? { PrimaryIpv6: true, Ipv6AddressCount: 1 } : {}),
  };
};

/** The interfaces of an instance: a new one in its subnet, or those that the machine names, in their order. */
export const networkInterfaces = (
  machine: AWSMachine,
  awsCluster: AWSCluster,
  place: LaunchPlace,
  groups: readonly string[],
): InstanceNetworkInterfaceSpecification[] => {
  const given = givenInterfaces(machine).map((NetworkInterfaceId, DeviceIndex) => ({
    NetworkInterfaceId,
    DeviceIndex,
  }));
  const all = given.length > 0 ? given : [newInterface(machine, awsCluster, place, groups)];
  const type = machine.spec.networkInterfaceType;
  return all.map((one, index) => (index === 0 && type ? { ...one, InterfaceType: type } : one));
};
