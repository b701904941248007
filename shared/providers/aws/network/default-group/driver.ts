import type { Driver } from '../driver.ts';
import type { DefaultGroupAction, WantedDefaultGroup } from './model.ts';
import { planDefaultGroup } from './plan.ts';

/** It is created and deleted with its VPC, and is observed with the other security groups. */
export const defaultGroup = {
  step: 'network',
  desired: ({ spec }): WantedDefaultGroup => ({
    emptiesDefaultGroup: spec.network?.vpc?.emptyRoutesDefaultVPCSecurityGroup === true,
  }),
  plan: planDefaultGroup,
  operations: {
    EmptyDefaultSecurityGroup: {
      reason: 'RevokeSecurityGroupIngressRules',
      call: (ec2, { groupId }) => ec2.emptySecurityGroup(groupId),
      tell: ({ groupId }) => `Removed all rules of the VPC's default security group ${groupId}`,
      drift: 'SecurityGroupRules',
      conditionOf: () => 'ClusterSecurityGroupsReady',
    },
  },
} satisfies Driver<DefaultGroupAction, object, WantedDefaultGroup>;
