import {
  DescribeSecurityGroupsCommand,
  type EC2Client,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';

export interface DefaultGroupWrites {
  /** Removes all rules, inbound and outbound. */
  emptySecurityGroup(groupId: string): Promise<void>;
}

const emptySecurityGroup = async (client: EC2Client, groupId: string): Promise<void> => {
  const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [groupId] }));
  const { IpPermissions = [], IpPermissionsEgress = [] } = SecurityGroups?.[0] ?? {};
  if (IpPermissions.length > 0) {
    await client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }));
  }
  if (IpPermissionsEgress.length === 0) return;
  await client.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions: IpPermissionsEgress }));
};

export const defaultGroupWrites = (client: EC2Client): DefaultGroupWrites => ({
  emptySecurityGroup: (groupId) => emptySecurityGroup(client, groupId),
});
