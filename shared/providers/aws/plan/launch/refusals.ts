import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { wantsHost } from './host.ts';
import type { LaunchImage } from './image.ts';
import { givenInterfaces } from './network-interfaces.ts';
import type { LaunchPlace } from './subnet.ts';

interface Facts {
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
  image: LaunchImage;
  place: LaunchPlace;
}

const volumeProblem = ({ infrastructure: { spec }, image }: Facts): string | undefined => {
  const size = spec.rootVolume?.size;
  if (size === undefined || image.sizeGib === undefined || size >= image.sizeGib) return undefined;
  return `spec.rootVolume.size: ${size} GiB is less than the ${image.sizeGib} GiB of image ${image.id}'s snapshot`;
};

const ipv6Problem = ({ infrastructure: { spec }, awsCluster, place }: Facts): string | undefined => {
  if (spec.assignPrimaryIPv6 !== 'enabled') return undefined;
  if (awsCluster.spec.network?.vpc?.ipv6 === undefined)
    return 'spec.assignPrimaryIPv6: the VPC of the cluster has no IPv6';
  return place.hasIpv6 ? undefined : `spec.assignPrimaryIPv6: subnet ${place.id} has no IPv6 range`;
};

const interfaceProblem = ({ infrastructure }: Facts): string | undefined => {
  const { publicIP, assignPrimaryIPv6 } = infrastructure.spec;
  if (givenInterfaces(infrastructure).length === 0) return undefined;
  if (publicIP === true)
    return 'spec.publicIP: EC2 gives public addresses to new interfaces only, not to spec.networkInterfaces';
  if (assignPrimaryIPv6 === 'enabled')
    return 'spec.assignPrimaryIPv6: EC2 assigns it to new interfaces only, not to spec.networkInterfaces';
  return undefined;
};

const partitionProblem = ({ infrastructure: { spec } }: Facts): string | undefined =>
  spec.placementGroupPartition && !spec.placementGroupName
    ? 'spec.placementGroupPartition: needs spec.placementGroupName'
    : undefined;

const hostProblem = ({ infrastructure: { spec } }: Facts): string | undefined =>
  spec.hostID && spec.tenancy && spec.tenancy !== 'host' ? "spec.hostID: needs spec.tenancy 'host'" : undefined;

const hostZoneProblem = ({ infrastructure, place }: Facts): string | undefined =>
  wantsHost(infrastructure) && place.zone === undefined
    ? 'spec.dynamicHostAllocation: needs a subnet, which determines the zone; spec.networkInterfaces do not'
    : undefined;

/** The part of a machine's spec with which no instance can be launched, with its field; undefined if there is none. */
export const launchProblem = (facts: Facts): string | undefined =>
  hostZoneProblem(facts) ??
  interfaceProblem(facts) ??
  volumeProblem(facts) ??
  (givenInterfaces(facts.infrastructure).length > 0 ? undefined : ipv6Problem(facts)) ??
  partitionProblem(facts) ??
  hostProblem(facts);
