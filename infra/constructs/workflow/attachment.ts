import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { FunctionName } from '../../bundle/entries.ts';
import type { Attachment } from '../function-subnets.ts';

/** The functions that connect to the API servers of workload clusters, and to hosts. */
export const REACHING: readonly FunctionName[] = ['cluster-workload', 'machine-node', 'hosts', 'drift'];

/** Whether a function is placed in the subnets of the settings. */
export const isAttached = (name: FunctionName, attachment: Attachment | undefined): attachment is Attachment =>
  attachment !== undefined && (attachment.ofAll || REACHING.includes(name));

/** Lambda's own calls for the network interfaces of a function in a VPC; no function makes them itself. */
const INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * The permissions that Lambda requires of the role of a function in a VPC. The sweep and Services read subnets as well.
 */
const REQUIRED = [...INTERFACES, 'ec2:DescribeSubnets'];

/**
 * Places a function in a user's own subnets, from which it reaches API servers without a public address. Lambda uses
 * the role's permissions to create the network interfaces; the function's own code is denied the calls that only Lambda
 * makes.
 */
export const attach = (target: LambdaFunction, name: string, { subnets, securityGroups }: Attachment): void => {
  target.addToRolePolicy(new PolicyStatement({ actions: REQUIRED, resources: ['*'] }));
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
