/** The security group that AWS creates with a VPC. It is observed with the others. */

export interface WantedDefaultGroup {
  /** Whether it should have no rules. */
  emptiesDefaultGroup: boolean;
}

export type DefaultGroupAction = { type: 'EmptyDefaultSecurityGroup'; groupId: string };
