import {
  AllocateAddressCommand,
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateInternetGatewayCommand,
  CreateKeyPairCommand,
  CreateNatGatewayCommand,
  CreateRouteCommand,
  type CreateRouteCommandInput,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeImagesCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import type { Variables } from './render.ts';

/** The name of the management cluster whose security group some templates look up. */
const MANAGEMENT = 'management';

/** Creates a VPC of the user. `subnet` creates a subnet in it, which uses the main route table. */
const makeVpc = async (ec2: EC2Client, block: string) => {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: `${block}.0.0/16` }));
  const VpcId = String(Vpc?.VpcId);
  const subnet = async (third: number) => {
    const place = { VpcId, CidrBlock: `${block}.${third}.0/24`, AvailabilityZone: 'us-west-2a' };
    return String((await ec2.send(new CreateSubnetCommand(place))).Subnet?.SubnetId);
  };
  return { VpcId, subnet };
};

/** Gives a subnet its own route table with a default route. With an internet gateway, the subnet becomes public. */
const routeOut = async (
  ec2: EC2Client,
  VpcId: string,
  SubnetId: string,
  way: Pick<CreateRouteCommandInput, 'GatewayId' | 'NatGatewayId'>,
): Promise<void> => {
  const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId }));
  const RouteTableId = String(RouteTable?.RouteTableId);
  await ec2.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', ...way }));
  await ec2.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }));
};

/** Creates the management cluster's network: a public subnet with a NAT gateway, and a private subnet that uses it. */
const makeManagementNetwork = async (ec2: EC2Client) => {
  const { VpcId, subnet } = await makeVpc(ec2, '10.8');
  const [open, closed] = [await subnet(0), await subnet(1)];
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const GatewayId = String(InternetGateway?.InternetGatewayId);
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId: GatewayId, VpcId }));
  await routeOut(ec2, VpcId, open, { GatewayId });
  const { AllocationId } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }));
  const { NatGateway } = await ec2.send(new CreateNatGatewayCommand({ SubnetId: open, AllocationId }));
  await routeOut(ec2, VpcId, closed, { NatGatewayId: String(NatGateway?.NatGatewayId) });
  return { VpcId, open, closed };
};

/** Creates a security group that allows all traffic, as the framework does. Returns the id. */
const makeGroup = async (ec2: EC2Client, VpcId: string, GroupName: string): Promise<string> => {
  const { GroupId } = await ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: 'of the user', VpcId }));
  const IpPermissions = [{ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] }];
  await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions }));
  return String(GroupId);
};

/** The image that the framework would choose for templates that name an image. */
const findImage = async (ec2: EC2Client, version: string): Promise<string> => {
  const Filters = [{ Name: 'name', Values: [`capa-ami-ubuntu-24.04-${version}-*`] }];
  const { Images } = await ec2.send(new DescribeImagesCommand({ Filters }));
  return String(Images?.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId);
};

/**
 * Creates the resources that the templates expect in the account, as the provider's framework does. Returns the
 * variables that name them. `version` is that of Kubernetes, with its `v`.
 */
export const makeSurroundings = async (ec2: EC2Client, version: string): Promise<Variables> => {
  await ec2.send(new CreateKeyPairCommand({ KeyName: 'default' }));
  const management = await makeManagementNetwork(ec2);
  const workload = await makeVpc(ec2, '10.9');
  await makeGroup(ec2, management.VpcId, `${MANAGEMENT}-all`);
  return {
    MGMT_CLUSTER_NAME: MANAGEMENT,
    MGMT_VPC_ID: management.VpcId,
    MGMT_PUBLIC_SUBNET_ID: management.open,
    MGMT_PRIVATE_SUBNET_ID: management.closed,
    WL_VPC_ID: workload.VpcId,
    WL_PRIVATE_SUBNET_ID: await workload.subnet(1),
    SG_ID: await makeGroup(ec2, management.VpcId, 'outside'),
    IMAGE_ID: await findImage(ec2, version),
  };
};
