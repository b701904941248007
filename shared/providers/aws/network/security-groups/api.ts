import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  type EC2Client,
  type IpPermission,
  paginateDescribeSecurityGroups,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import { taggedIfPermitted } from '../../../../aws/tagging.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { Filter } from '../filters.ts';
import { idOf, type Pages, required, tagged, toFilters } from '../wire.ts';
import type { IngressPermission, ObservedSecurityGroup } from './model.ts';

export interface SecurityGroupReads {
  describeSecurityGroups(filters: readonly Filter[]): Promise<ObservedSecurityGroup[]>;
}

export interface SecurityGroupWrites {
  createSecurityGroup(input: { vpcId: string; name: string; description: string; tags: Tags }): Promise<string>;
  /** `tags`: the tags of the rules, if the caller may set them. */
  authorizeIngress(groupId: string, permissions: readonly IngressPermission[], tags: Tags): Promise<void>;
  revokeIngress(groupId: string, permissions: readonly IngressPermission[]): Promise<void>;
  /** Revokes the outbound rules that refer to one of the groups. */
  revokeEgressToGroups(groupId: string, groupIds: readonly string[]): Promise<void>;
  deleteSecurityGroup(groupId: string): Promise<void>;
}

/** One permission for each source of a rule. The source of a rule for a prefix list is the id of the list. */
const toPermissions = (rule: IpPermission): IngressPermission[] => {
  const { IpProtocol: protocol = '-1', FromPort: fromPort, ToPort: toPort } = rule;
  const of = (source: string | undefined, description: string | undefined): IngressPermission[] =>
    source === undefined ? [] : [{ protocol, fromPort, toPort, source, ...(description ? { description } : {}) }];
  return [
    ...(rule.IpRanges ?? []).flatMap(({ CidrIp, Description }) => of(CidrIp, Description)),
    ...(rule.Ipv6Ranges ?? []).flatMap(({ CidrIpv6, Description }) => of(CidrIpv6, Description)),
    ...(rule.UserIdGroupPairs ?? []).flatMap(({ GroupId, Description }) => of(GroupId, Description)),
    ...(rule.PrefixListIds ?? []).flatMap(({ PrefixListId, Description }) => of(PrefixListId, Description)),
  ];
};

const toSecurityGroup = (group: SecurityGroup): ObservedSecurityGroup => ({
  id: required(group.GroupId, 'GroupId'),
  vpcId: group.VpcId ?? '',
  name: group.GroupName ?? '',
  tags: fromTagList(group.Tags),
  ingress: (group.IpPermissions ?? []).flatMap(toPermissions),
  hasEgress: (group.IpPermissionsEgress ?? []).length > 0,
  egressGroupIds: (group.IpPermissionsEgress ?? []).flatMap(({ UserIdGroupPairs = [] }) =>
    UserIdGroupPairs.flatMap(({ GroupId }) => GroupId ?? []),
  ),
});

const sourceField = (source: string, description: string | undefined): IpPermission => {
  const Description = description;
  if (source.startsWith('sg-')) return { UserIdGroupPairs: [{ GroupId: source, Description }] };
  if (source.startsWith('pl-')) return { PrefixListIds: [{ PrefixListId: source, Description }] };
  if (source.includes(':')) return { Ipv6Ranges: [{ CidrIpv6: source, Description }] };
  return { IpRanges: [{ CidrIp: source, Description }] };
};

/** Converts to the SDK's form, one rule per source. EC2 requires the ports -1 if a protocol has no ports. */
const fromPermission = ({ protocol, fromPort, toPort, source, description }: IngressPermission): IpPermission => ({
  IpProtocol: protocol,
  FromPort: fromPort ?? -1,
  ToPort: toPort ?? -1,
  ...sourceField(source, description),
});

export const securityGroupReads = (paged: Pages): SecurityGroupReads => ({
  describeSecurityGroups: async (filters) => {
    const pages = paginateDescribeSecurityGroups(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ SecurityGroups }) => SecurityGroups)).map(toSecurityGroup);
  },
});

const revokeEgressToGroups = async (client: EC2Client, groupId: string, groupIds: readonly string[]): Promise<void> => {
  const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [groupId] }));
  const rules = (SecurityGroups ?? []).flatMap(({ IpPermissionsEgress }) => IpPermissionsEgress ?? []);
  const IpPermissions = rules.flatMap(({ IpProtocol, FromPort, ToPort, UserIdGroupPairs }) => {
    const pairs = UserIdGroupPairs?.filter(({ GroupId }) => GroupId && groupIds.includes(GroupId)) ?? [];
    return pairs.length > 0 ? [{ IpProtocol, FromPort, ToPort, UserIdGroupPairs: pairs }] : [];
  });
  if (IpPermissions.length === 0) return;
  await client.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions }));
};

export const securityGroupWrites = (client: EC2Client): SecurityGroupWrites => ({
  createSecurityGroup: async (input) => {
    const command = new CreateSecurityGroupCommand({
      VpcId: input.vpcId,
      GroupName: input.name,
      Description: input.description,
      TagSpecifications: tagged('security-group', input.tags),
    });
    return idOf((await client.send(command)).GroupId, 'CreateSecurityGroup');
  },
  authorizeIngress: async (groupId, permissions, tags) => {
    const input = { GroupId: groupId, IpPermissions: permissions.map(fromPermission) };
    const TagSpecifications = tagged('security-group-rule', tags);
    await taggedIfPermitted(
      () => client.send(new AuthorizeSecurityGroupIngressCommand({ ...input, TagSpecifications })),
      () => client.send(new AuthorizeSecurityGroupIngressCommand(input)),
    );
  },
  revokeIngress: async (groupId, permissions) => {
    const IpPermissions = permissions.map(fromPermission);
    await client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }));
  },
  revokeEgressToGroups: (groupId, groupIds) => revokeEgressToGroups(client, groupId, groupIds),
  deleteSecurityGroup: async (groupId) => {
    await client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }));
  },
});
