import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../bundle/entries.ts';
import type { Attachment } from './settings.ts';

/** The functions that speak to the API servers of created clusters, and to hosts. */
export const REACHING: readonly FunctionName[] = ['cluster-workload', 'machine-node', 'hosts', 'drift'];

/** What Lambda does with a function's role to give it an address in a VPC; it requires exactly these. */
const INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Puts a function into a user's own subnets, from which it reaches API servers without a public address. Lambda uses
 * the role's permissions to create the network interfaces; the function's own code is denied them.
 */
export const attach = (target: LambdaFunction, name: string, { subnets, securityGroups }: Attachment): void => {
  target.addToRolePolicy(new PolicyStatement({ actions: INTERFACES, resources: ['*'] }));
  target.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: INTERFACES,
      resources: ['*'],
      conditions: {
        ArnEquals: {
          'lambda:SourceFunctionArn': `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${name}`,
        },
      },
    }),
  );
  const resource = target.node.defaultChild as CfnFunction;
  resource.vpcConfig = { subnetIds: [...subnets], securityGroupIds: [...securityGroups] };
};
