import type { Driver, View } from '../driver.ts';
import { inside, withNamed } from '../observing.ts';
import { vpcsOf } from '../parts.ts';
import type { SecurityGroupReads } from './api.ts';
import { securityGroupCache } from './cache.ts';
import { desiredSecurityGroups } from './desired.ts';
import type { IngressPermission, SecurityGroupAction, SeenSecurityGroups, WantedSecurityGroups } from './model.ts';
import { planSecurityGroups } from './plan.ts';
import { recordSecurityGroups } from './record.ts';
import { madeGroups, ownGroups, takeDownSecurityGroups } from './take-down.ts';

const count = (things: readonly unknown[], noun: string) => `${things.length} ${noun}${things.length === 1 ? '' : 's'}`;

const ports = ({ fromPort, toPort }: IngressPermission): string =>
  fromPort === undefined || fromPort < 0 ? '' : ` ${fromPort === toPort ? fromPort : `${fromPort}-${toPort}`}`;

const rules = (permissions: readonly IngressPermission[]): string =>
  permissions.map((rule) => `${rule.protocol}${ports(rule)} from ${rule.source}`).join(', ');

const observe = async (ec2: SecurityGroupReads, view: View): Promise<SeenSecurityGroups> => {
  const { byTag, named, purpose, vpcIds } = view;
  // If the AWSCluster is gone, the VPC of the groups is unknown.
  const isStray = vpcIds.length === 0 && purpose === 'deletion';
  const found = await (isStray ? ec2.describeSecurityGroups([byTag]) : inside(view, ec2.describeSecurityGroups));
  return { securityGroups: await withNamed(found, named.securityGroups, ec2.describeSecurityGroups, 'group-id') };
};

/** Its rules contain the addresses of the NAT gateways, so both steps plan them. */
export const securityGroups = {
  kind: 'securityGroup',
  condition: {
    type: 'ClusterSecurityGroupsReady',
    failed: 'SecurityGroupReconciliationFailed',
    remaining: (observed) => madeGroups(observed).length,
  },
  step: 'both',
  desired: desiredSecurityGroups,
  observe: { stage: 'first', look: observe },
  ownPart: (observed, belonging): SeenSecurityGroups => ({ securityGroups: ownGroups(observed, belonging) }),
  plan: planSecurityGroups,
  takeDown: takeDownSecurityGroups,
  inhabits: (observed) => vpcsOf(madeGroups(observed)),
  record: recordSecurityGroups,
  operations: {
    CreateSecurityGroup: {
      reason: 'CreateSecurityGroup',
      call: (ec2, { vpcId, name, description, tags }) => ec2.createSecurityGroup({ vpcId, name, description, tags }),
      tell: ({ name }, id) => `Created security group ${id} (${name})`,
      drift: 'SecurityGroup',
    },
    AuthorizeIngress: {
      reason: 'AuthorizeSecurityGroupIngressRules',
      call: (ec2, { groupId, permissions, tags }) => ec2.authorizeIngress(groupId, permissions, tags),
      tell: ({ groupId, permissions }) => `Added ${count(permissions, 'rule')} to security group ${groupId}`,
      drift: 'SecurityGroupRules',
      drifted: ({ groupId, permissions }) => `security group ${groupId} lacks rules: ${rules(permissions)}`,
    },
    RevokeIngress: {
      reason: 'RevokeSecurityGroupIngressRules',
      call: (ec2, { groupId, permissions }) => ec2.revokeIngress(groupId, permissions),
      tell: ({ groupId, permissions }) => `Removed ${count(permissions, 'rule')} from security group ${groupId}`,
      drift: 'SecurityGroupRules',
      drifted: ({ groupId, permissions }) =>
        `security group ${groupId} admits traffic that is not in the spec: ${rules(permissions)}`,
    },
    RevokeEgressToGroups: {
      reason: 'RevokeSecurityGroupEgressRules',
      call: (ec2, { groupId, groupIds }) => ec2.revokeEgressToGroups(groupId, groupIds),
      tell: ({ groupId, groupIds }) =>
        `Removed the rules of security group ${groupId} that name ${groupIds.join(', ')}`,
      drift: 'SecurityGroupRules',
    },
    DeleteSecurityGroup: {
      reason: 'DeleteSecurityGroup',
      call: (ec2, { groupId }) => ec2.deleteSecurityGroup(groupId),
      tell: ({ groupId }) => `Deleted security group ${groupId}`,
      drift: 'SecurityGroup',
    },
  },
  cache: securityGroupCache,
  rights: {
    reads: ['DescribeSecurityGroups'],
    swept: ['DescribeSecurityGroups'],
    creates: ['CreateSecurityGroup'],
    changes: [
      'AuthorizeSecurityGroupIngress',
      'RevokeSecurityGroupIngress',
      'RevokeSecurityGroupEgress',
      'DeleteSecurityGroup',
    ],
    types: ['security-group'],
  },
} satisfies Driver<SecurityGroupAction, SeenSecurityGroups, WantedSecurityGroups>;
