import {
  AttachInternetGatewayCommand,
  EC2Client as Client,
  CreateInternetGatewayCommand,
  CreateKeyPairCommand,
  CreateRouteCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeRouteTablesCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import type { TestLaptop } from '../../end-to-end/laptop.ts';

/** A VPC of the user's with a subnet that leads to the internet and one that does not. */
const makeVpc = async (ec2: EC2Client, block: string) => {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: `${block}.0.0/16` }));
  const VpcId = String(Vpc?.VpcId);
  const subnet = async (third: number) => {
    const place = { VpcId, CidrBlock: `${block}.${third}.0/24`, AvailabilityZone: 'us-east-1a' };
    return String((await ec2.send(new CreateSubnetCommand(place))).Subnet?.SubnetId);
  };
  return { VpcId, subnet };
};

const openToInternet = async (ec2: EC2Client, VpcId: string): Promise<void> => {
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const InternetGatewayId = String(InternetGateway?.InternetGatewayId);
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId, VpcId }));
  const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
  const { RouteTables } = await ec2.send(new DescribeRouteTablesCommand({ Filters }));
  const RouteTableId = String(RouteTables?.[0]?.RouteTableId);
  await ec2.send(
    new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId: InternetGatewayId }),
  );
};

/** What the templates expect in the account, as the framework of the provider makes it: the variables that name it. */
export const makeSurroundings = async ({ access }: TestLaptop): Promise<Record<string, string>> => {
  const ec2 = new Client({ region: 'us-east-1', endpoint: access.awsUrl, credentials: access.credentials });
  await ec2.send(new CreateKeyPairCommand({ KeyName: 'default' }));
  const [management, workload] = [await makeVpc(ec2, '10.8'), await makeVpc(ec2, '10.9')];
  await openToInternet(ec2, management.VpcId);
  const group = { GroupName: 'outside', Description: 'of the user', VpcId: management.VpcId };
  const variables = {
    MGMT_VPC_ID: management.VpcId,
    MGMT_PUBLIC_SUBNET_ID: await management.subnet(0),
    MGMT_PRIVATE_SUBNET_ID: await management.subnet(1),
    WL_VPC_ID: workload.VpcId,
    WL_PRIVATE_SUBNET_ID: await workload.subnet(1),
    SG_ID: String((await ec2.send(new CreateSecurityGroupCommand(group))).GroupId),
  };
  ec2.destroy();
  return variables;
};
