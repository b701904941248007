import { DescribeRouteTablesCommand, DescribeVpcEndpointsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Installation } from '../api/kubeconfig-client.ts';
import type { Check } from './check.ts';
import { judgeFunctionNetwork } from './function-network.ts';

/** One of the functions that connect to clusters: all of them are in the same place. */
const ONE = 'drift';

/** Where the functions that connect to clusters are, and whether they can reach the services that they call. */
export const functionNetworkCheck = (aws: Installation['aws'], stack: string): Check => ({
  name: 'Network of the functions',
  look: async () => {
    const lambda = new LambdaClient(aws);
    const { VpcConfig } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: `${stack}-${ONE}` }));
    const { VpcId, SubnetIds = [] } = VpcConfig ?? {};
    if (!VpcId) return { status: 'ok', detail: 'the internet; clusters with an internal load balancer need a VPC' };
    const ec2 = new EC2Client(aws);
    const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
    const [{ RouteTables = [] }, { VpcEndpoints = [] }] = await Promise.all([
      ec2.send(new DescribeRouteTablesCommand({ Filters })),
      ec2.send(new DescribeVpcEndpointsCommand({ Filters })),
    ]);
    const region = await ec2.config.region();
    return judgeFunctionNetwork({ region, subnetIds: SubnetIds, routeTables: RouteTables, endpoints: VpcEndpoints });
  },
});
