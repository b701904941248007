import { AssociateVpcCidrBlockCommand, DisassociateVpcCidrBlockCommand, type EC2Client } from '@aws-sdk/client-ec2';

export interface SecondaryBlockWrites {
  associateVpcBlock(input: { vpcId: string; cidrBlock: string }): Promise<void>;
  disassociateVpcBlock(associationId: string): Promise<void>;
}

export const secondaryBlockWrites = (client: EC2Client): SecondaryBlockWrites => ({
  associateVpcBlock: async ({ vpcId, cidrBlock }) => {
    await client.send(new AssociateVpcCidrBlockCommand({ VpcId: vpcId, CidrBlock: cidrBlock }));
  },
  disassociateVpcBlock: async (associationId) => {
    await client.send(new DisassociateVpcCidrBlockCommand({ AssociationId: associationId }));
  },
});
