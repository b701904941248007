import {
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  DescribeRouteTablesCommand,
  DescribeVpcEndpointsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestAws, type TestAws } from '../../local/test-aws.ts';
import { CALLED_BY_OTHERS, CALLED_SERVICES, judgeFunctionNetwork } from './function-network.ts';

let aws: TestAws;
let ec2: EC2Client;
let VpcId: string | undefined;
let subnet: string;
beforeEach(async () => {
  aws = await startTestAws({});
  ec2 = new EC2Client(aws.direct);
  VpcId = (await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))).Vpc?.VpcId;
  const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock: '10.0.0.0/24' }));
  subnet = Subnet?.SubnetId ?? '';
});
afterEach(async () => {
  ec2.destroy();
  await aws.aws.close();
});

const tables = async () =>
  (await ec2.send(new DescribeRouteTablesCommand({ Filters: [{ Name: 'vpc-id', Values: [VpcId ?? ''] }] })))
    .RouteTables ?? [];

const judge = async (change: object = {}) => {
  const { VpcEndpoints = [] } = await ec2.send(new DescribeVpcEndpointsCommand({}));
  const routeTables = await tables();
  return judgeFunctionNetwork({
    region: 'us-east-1',
    subnetIds: [subnet],
    routeTables,
    endpoints: VpcEndpoints,
    ofAll: false,
    ...change,
  });
};

const gatewayEndpoint = async (RouteTableIds: string[]) => {
  const ServiceName = 'com.amazonaws.us-east-1.dynamodb';
  await ec2.send(new CreateVpcEndpointCommand({ VpcId, ServiceName, VpcEndpointType: 'Gateway', RouteTableIds }));
};
const interfaceEndpoints = CALLED_SERVICES.filter((service) => service !== 'dynamodb').map((service) => ({
  ServiceName: `com.amazonaws.us-east-1.${service}`,
  VpcEndpointType: 'Interface' as const,
  State: 'available' as const,
  PrivateDnsEnabled: true,
}));

it('names every service without an endpoint for a subnet without internet access', async () => {
  const [main] = await tables();
  await gatewayEndpoint([main?.RouteTableId ?? '']);

  const { status, detail } = await judge();
  expect(status).toBe('failed');
  expect(detail).toMatch(
    /^subnet-\w+ has no route to the internet, and has no endpoint for kms, states, sts, ec2, elasticloadbalancing, autoscaling, secretsmanager; subnet-\w+ .* no endpoint for s3, which clusters with an s3Bucket need: route 0\.0\.0\.0\/0 to a NAT gateway/,
  );
});

it('reports no error if every service has an endpoint', async () => {
  const [main] = await tables();
  await gatewayEndpoint([main?.RouteTableId ?? '']);
  const { VpcEndpoints = [] } = await ec2.send(new DescribeVpcEndpointsCommand({}));

  expect(await judge({ endpoints: [...VpcEndpoints, ...interfaceEndpoints] })).toMatchObject({ status: 'warning' });
  const s3 = interfaceEndpoint('com.amazonaws.us-east-1.s3');
  expect(await judge({ endpoints: [...VpcEndpoints, ...interfaceEndpoints, s3] })).toMatchObject({ status: 'ok' });
});

const interfaceEndpoint = (ServiceName: string) => ({ ...interfaceEndpoints[0], ServiceName });
const FURTHER = CALLED_BY_OTHERS.map((service) => interfaceEndpoint(`com.amazonaws.us-east-1.${service}`));

describe('with all functions in the VPC', () => {
  const judgeAll = async (...further: object[]) => {
    const [main] = await tables();
    await gatewayEndpoint([main?.RouteTableId ?? '']);
    const { VpcEndpoints = [] } = await ec2.send(new DescribeVpcEndpointsCommand({}));
    return judge({ ofAll: true, endpoints: [...VpcEndpoints, ...interfaceEndpoints, ...further] });
  };

  it('names endpoints that only the other functions need', async () => {
    const { status, detail } = await judgeAll();
    expect(status).toBe('failed');
    expect(detail).toContain('has no endpoint for ssm, servicequotas; ');
  });

  it('warns about endpoints that only some clusters need', async () => {
    const { status, detail } = await judgeAll(...FURTHER);
    expect(status).toBe('warning');
    expect(detail).toMatch(/no endpoint for s3, which clusters with an s3Bucket need, and for iam, without which /);
  });

  it('reports no error if every service has an endpoint, that of IAM without a region', async () => {
    const s3 = interfaceEndpoint('com.amazonaws.us-east-1.s3');
    const found = await judgeAll(...FURTHER, s3, interfaceEndpoint('com.amazonaws.iam'));
    expect(found).toMatchObject({ status: 'ok', detail: expect.stringContaining('all functions call') });
  });

  it('ignores a gateway endpoint for S3 in another route table', async () => {
    const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId }));
    const VpcEndpointType = 'Gateway' as const;
    const s3 = { ...interfaceEndpoint('com.amazonaws.us-east-1.s3'), VpcEndpointType };
    const found = await judgeAll(...FURTHER, { ...s3, RouteTableIds: [RouteTable?.RouteTableId ?? ''] });
    expect(found).toMatchObject({ status: 'warning', detail: expect.stringContaining('no endpoint for s3') });
  });
});

it('ignores a gateway endpoint in another route table, and an interface endpoint without private DNS', async () => {
  const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId }));
  await gatewayEndpoint([RouteTable?.RouteTableId ?? '']);
  const { VpcEndpoints = [] } = await ec2.send(new DescribeVpcEndpointsCommand({}));
  const nameless = interfaceEndpoints.map((endpoint) => ({ ...endpoint, PrivateDnsEnabled: false }));

  const { detail } = await judge({ endpoints: [...VpcEndpoints, ...nameless] });
  expect(detail).toContain('no endpoint for dynamodb, kms,');
});

it.each([
  { reason: 'a NAT gateway', route: { NatGatewayId: 'nat-1' }, status: 'ok' },
  { reason: 'a transit gateway', route: { TransitGatewayId: 'tgw-1' }, status: 'ok' },
  { reason: 'an internet gateway', route: { GatewayId: 'igw-1' }, status: 'failed' },
  {
    reason: 'a NAT gateway that no longer exists',
    route: { NatGatewayId: 'nat-1', State: 'blackhole' as const },
    status: 'failed',
  },
])('considers a route to $reason', async ({ route, status }) => {
  const Routes = [{ DestinationCidrBlock: '0.0.0.0/0', State: 'active' as const, ...route }];
  const routeTables = [{ RouteTableId: 'rtb-1', Associations: [{ SubnetId: subnet }], Routes }];

  const found = await judge({ routeTables });
  expect(found.status).toBe(status);
  if (route.GatewayId) expect(found.detail).toContain('no public address');
});

it('names a subnet outside the VPC', async () => {
  expect((await judge({ routeTables: [] })).detail).toContain(`${subnet} is not in the VPC of the functions`);
});
