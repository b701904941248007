/** The security group that AWS makes with a VPC. It is observed with the others. */

export interface WantedDefaultGroup {
  /** It is to have no rules. */
  emptiesDefaultGroup: boolean;
}

export type DefaultGroupAction = { type: 'EmptyDefaultSecurityGroup'; groupId: string };
