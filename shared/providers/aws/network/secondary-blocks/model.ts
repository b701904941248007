/** Further IPv4 blocks of the VPC. They are observed with the VPC. */

export interface WantedSecondaryBlocks {
  secondaryBlocks: readonly string[];
}

export type SecondaryBlockAction =
  | { type: 'AssociateVpcBlock'; vpcId: string; cidrBlock: string }
  | { type: 'DisassociateVpcBlock'; vpcId: string; associationId: string; cidrBlock: string };
