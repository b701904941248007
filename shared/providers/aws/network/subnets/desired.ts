import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { SubnetSpec } from '../../../../kinds/index.ts';
import { buildTags, type ClusterName } from '../../tags.ts';
import type { DesiredInput } from '../desired-input.ts';
import { isEdgeZone, isSecondarySubnet } from './kinds.ts';
import type { DesiredSubnet, WantedSubnets } from './model.ts';
import { givenName, subnetName } from './names.ts';

/** `public-us-east-1a`, and `-2`, `-3`… if a zone has several subnets of the same type. */
const subnetKeys = (subnets: readonly SubnetSpec[]): string[] => {
  const seen = new Map<string, number>();
  return subnets.map(({ isPublic, availabilityZone }) => {
    const stem = `${isPublic ? 'public' : 'private'}-${availabilityZone}`;
    const count = (seen.get(stem) ?? 0) + 1;
    seen.set(stem, count);
    return count === 1 ? stem : `${stem}-${count}`;
  });
};

const desiredSubnet = (cluster: ClusterName, spec: AWSClusterSpec, subnet: SubnetSpec, key: string): DesiredSubnet => {
  const { isPublic = false, availabilityZone: zone = '', cidrBlock = '', id, ipv6CidrBlock, zoneType } = subnet;
  const hostnameType = spec.network?.vpc?.privateDnsHostnameTypeOnLaunch;
  const visibility = isPublic ? 'public' : 'private';
  const kind = { cluster, cloudProvider: 'owned' } as const;
  return {
    key,
    specId: id,
    ...(subnet.resourceID ? { resourceId: subnet.resourceID } : {}),
    isPublic,
    zone,
    cidrBlock: canonicalCidr(cidrBlock),
    ...(ipv6CidrBlock ? { ipv6CidrBlock: canonicalCidr(ipv6CidrBlock) } : {}),
    ...(zoneType ? { zoneType } : {}),
    ...(subnet.parentZoneName ? { parentZone: subnet.parentZoneName } : {}),
    ...(isSecondarySubnet(subnet) ? { isSecondary: true } : {}),
    ...(hostnameType ? { hostnameType } : {}),
    tags: buildTags({
      ...kind,
      name: givenName(subnet) ?? subnetName(cluster.name, isPublic, zone),
      role: visibility,
      additional: { ...spec.additionalTags, ...subnet.tags },
      // The cloud controller must not put a load balancer into an edge zone.
      extra: isEdgeZone(zoneType)
        ? {}
        : { [isPublic ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1' },
    }),
    routeTableTags: buildTags({
      ...kind,
      name: `${cluster.name}-rt-${visibility}-${zone}`,
      role: 'common',
      additional: spec.additionalTags,
    }),
  };
};

const loadBalancerSubnets = ({ controlPlaneLoadBalancer: spec }: AWSClusterSpec): 'public' | 'private' | undefined => {
  if (spec?.loadBalancerType === 'disabled' || spec?.subnets?.length) return undefined;
  return spec?.scheme === 'internal' ? 'private' : 'public';
};

/** The subnets of the spec, which contains the layout: the user's, or the computed one. */
export const desiredSubnets = ({ cluster, spec }: DesiredInput): WantedSubnets => {
  const { subnets = [] } = spec.network ?? {};
  const keys = subnetKeys(subnets);
  return {
    subnets: subnets.map((subnet, index) => desiredSubnet(cluster, spec, subnet, keys[index] ?? subnet.id)),
    loadBalancerSubnets: loadBalancerSubnets(spec),
  };
};
