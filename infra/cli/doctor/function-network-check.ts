import { DescribeRouteTablesCommand, DescribeVpcEndpointsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Installation } from '../api/kubeconfig-client.ts';
import type { Check } from './check.ts';
import { judgeFunctionNetwork } from './function-network.ts';

/** One of the functions that connect to clusters, and one of the others: each group is in the same network. */
const [REACHING, OTHER] = ['drift', 'cluster-network'];

/**
 * Checks in which network the functions are that connect to clusters, and whether they can reach the services that they
 * call.
 */
export const functionNetworkCheck = (aws: Installation['aws'], stack: string): Check => ({
  name: 'Network of the functions',
  look: async () => {
    const lambda = new LambdaClient(aws);
    const vpcOf = async (name: string | undefined) =>
      (await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: `${stack}-${name}` }))).VpcConfig ?? {};
    const [{ VpcId, SubnetIds = [] }, other] = await Promise.all([vpcOf(REACHING), vpcOf(OTHER)]);
    if (!VpcId) return { status: 'ok', detail: 'the internet; clusters with an internal load balancer need a VPC' };
    const ec2 = new EC2Client(aws);
    const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
    const [{ RouteTables = [] }, { VpcEndpoints = [] }] = await Promise.all([
      ec2.send(new DescribeRouteTablesCommand({ Filters })),
      ec2.send(new DescribeVpcEndpointsCommand({ Filters })),
    ]);
    const region = await ec2.config.region();
    const found = { routeTables: RouteTables, endpoints: VpcEndpoints };
    return judgeFunctionNetwork({ region, subnetIds: SubnetIds, ...found, ofAll: Boolean(other.VpcId) });
  },
});
