/** Additional IPv4 blocks of the VPC. They are observed with the VPC. */

export interface WantedSecondaryBlocks {
  /** In EC2's form: without host bits. */
  secondaryBlocks: readonly string[];
}

export type SecondaryBlockAction =
  | { type: 'AssociateVpcBlock'; vpcId: string; cidrBlock: string }
  | { type: 'DisassociateVpcBlock'; vpcId: string; associationId: string; cidrBlock: string };
