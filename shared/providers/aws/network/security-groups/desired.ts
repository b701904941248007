import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import { buildTags, cloudProviderTag, type Tags } from '../../tags.ts';
import type { DesiredInput } from '../desired-input.ts';
import { DEFAULT_CIDR } from '../vpc/desired.ts';
import type { DesiredSecurityGroup, WantedSecurityGroups } from './model.ts';
import { SECURITY_GROUP_ROLES, type SecurityGroupRole } from './roles.ts';
import { ruleSources } from './rule-sources.ts';
import { API_SERVER_PORT, securityGroupRules } from './rules.ts';

/** EC2 reserves names that begin with `sg-`, so upstream uses `@`. */
const groupName = (cluster: string, role: SecurityGroupRole): string =>
  `${cluster.startsWith('sg-') ? '@' : ''}${cluster}-${role}`;

/**
 * The user's tags without that of the cloud controller, which only works if exactly one group of an instance has it:
 * that is the group `lb`.
 */
const additionalTags = ({ cluster, spec }: DesiredInput): Tags => {
  const { [cloudProviderTag(cluster.name)]: _cloudProvider, ...additional } = spec.additionalTags ?? {};
  return additional;
};

const groupsOf = (input: DesiredInput): DesiredSecurityGroup[] => {
  const { cluster, spec, apiServerPort, natIps } = input;
  const vpcCidr = spec.network?.vpc?.cidrBlock ?? DEFAULT_CIDR;
  const rules = securityGroupRules({ spec, apiPort: apiServerPort ?? API_SERVER_PORT, vpcCidr, natIps });
  const overrides = spec.network?.securityGroupOverrides ?? {};
  return (Object.keys(rules) as SecurityGroupRole[]).map((role) => ({
    role,
    ...(overrides[role] ? { overrideId: overrides[role] } : {}),
    name: groupName(cluster.name, role),
    description: `Kubernetes cluster ${cluster.name}: ${role}`,
    // The cloud controller writes its own rules to the group with its tag.
    isAuthoritative: role !== 'lb',
    tags: buildTags({
      cluster,
      name: groupName(cluster.name, role),
      role,
      additional: additionalTags(input),
      ...(role === 'lb' ? { cloudProvider: 'owned' as const } : {}),
    }),
    ingress: rules[role] ?? [],
  }));
};

const unknownOverrides = ({ network }: AWSClusterSpec): string[] => {
  const known: readonly string[] = SECURITY_GROUP_ROLES;
  return Object.keys(network?.securityGroupOverrides ?? {}).filter((role) => !known.includes(role));
};

/** A group for each role, with upstream's names, tags and rules. */
export const desiredSecurityGroups = (input: DesiredInput): WantedSecurityGroups => ({
  securityGroups: groupsOf(input),
  unknownOverrides: unknownOverrides(input.spec),
  ruleSources: ruleSources(input.spec),
});
