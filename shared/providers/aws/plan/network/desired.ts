import { canonicalCidr } from '../../../../cidr.ts';
import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { SubnetSpec } from '../../../../kinds/schema/aws-network.ts';
import { buildTags, type ClusterName } from '../../tags.ts';
import { desiredExtras } from './desired-extras.ts';
import type { DesiredInput } from './desired-input.ts';
import type { DesiredNetwork, DesiredSecurityGroup, DesiredSubnet, SecurityGroupRole } from './model.ts';
import { SECURITY_GROUP_ROLES } from './roles.ts';
import { ruleSources } from './rule-sources.ts';
import { API_SERVER_PORT, securityGroupRules } from './rules.ts';
import { isEdgeZone, isSecondarySubnet } from './subnet-kinds.ts';

const DEFAULT_CIDR = '10.0.0.0/16';

/** `public-us-east-1a`, and `-2`, `-3`… where a zone has several of a kind. */
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
    cidrBlock,
    ...(ipv6CidrBlock ? { ipv6CidrBlock: canonicalCidr(ipv6CidrBlock) } : {}),
    ...(zoneType ? { zoneType } : {}),
    ...(subnet.parentZoneName ? { parentZone: subnet.parentZoneName } : {}),
    ...(isSecondarySubnet(subnet) ? { isSecondary: true } : {}),
    ...(hostnameType ? { hostnameType } : {}),
    tags: buildTags({
      ...kind,
      name: `${cluster.name}-subnet-${visibility}-${zone}`,
      role: visibility,
      additional: { ...spec.additionalTags, ...subnet.tags },
      // The cloud controller is to put no load balancer into an edge zone.
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

/** EC2 reserves names that begin with `sg-`, hence upstream's `@`. */
const groupName = (cluster: string, role: SecurityGroupRole): string =>
  `${cluster.startsWith('sg-') ? '@' : ''}${cluster}-${role}`;

const desiredSecurityGroups = ({ cluster, spec, apiServerPort, natIps }: DesiredInput): DesiredSecurityGroup[] => {
  const vpcCidr = spec.network?.vpc?.cidrBlock ?? DEFAULT_CIDR;
  const rules = securityGroupRules({ spec, apiPort: apiServerPort ?? API_SERVER_PORT, vpcCidr, natIps });
  const overrides = spec.network?.securityGroupOverrides ?? {};
  return (Object.keys(rules) as SecurityGroupRole[]).map((role) => ({
    role,
    ...(overrides[role] ? { overrideId: overrides[role] } : {}),
    name: groupName(cluster.name, role),
    description: `Kubernetes cluster ${cluster.name}: ${role}`,
    // The cloud controller wants to find exactly one group with its tag, and writes its own rules into it.
    isAuthoritative: role !== 'lb',
    tags: buildTags({
      cluster,
      name: groupName(cluster.name, role),
      role,
      additional: spec.additionalTags,
      ...(role === 'lb' ? { cloudProvider: 'owned' as const } : {}),
    }),
    ingress: rules[role] ?? [],
  }));
};

const loadBalancerSubnets = ({ controlPlaneLoadBalancer: spec }: AWSClusterSpec): 'public' | 'private' | undefined => {
  if (spec?.loadBalancerType === 'disabled' || spec?.subnets?.length) return undefined;
  return spec?.scheme === 'internal' ? 'private' : 'public';
};

const unknownOverrides = ({ network }: AWSClusterSpec): string[] => {
  const known: readonly string[] = SECURITY_GROUP_ROLES;
  return Object.keys(network?.securityGroupOverrides ?? {}).filter((role) => !known.includes(role));
};

/** The network that an AWSCluster asks for, with upstream's names and tags. */
export const desiredNetwork = (input: DesiredInput): DesiredNetwork => {
  const { cluster, clusterUid, spec } = input;
  const { vpc, subnets = [] } = spec.network ?? {};
  const common = (suffix: string) =>
    buildTags({ cluster, name: `${cluster.name}-${suffix}`, role: 'common', additional: spec.additionalTags });
  const keys = subnetKeys(subnets);
  return {
    cluster,
    clusterUid,
    vpc: {
      ...(vpc?.id ? { recordedId: vpc.id } : {}),
      cidrBlock: vpc?.cidrBlock ?? DEFAULT_CIDR,
      tags: buildTags({
        cluster,
        name: `${cluster.name}-vpc`,
        role: 'common',
        additional: { ...spec.additionalTags, ...vpc?.tags },
      }),
    },
    subnets: subnets.map((subnet, index) => desiredSubnet(cluster, spec, subnet, keys[index] ?? subnet.id)),
    internetGatewayTags: common('igw'),
    natGatewayTags: common('nat'),
    addressTags: common('eip-common'),
    ...desiredExtras(input),
    securityGroups: desiredSecurityGroups(input),
    unknownOverrides: unknownOverrides(spec),
    ruleSources: ruleSources(spec),
    loadBalancerSubnets: loadBalancerSubnets(spec),
  };
};
