import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunctionConstruct } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { API_CALL } from '../../shared/plan/drift/api-call.ts';
import type { Settings } from './settings.ts';

/** Calls that change what networks of clusters are made of. */
const NETWORK_CALLS = [
  ...['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'ModifySecurityGroupRules', 'DeleteSecurityGroup'],
  ...['CreateRoute', 'ReplaceRoute', 'DeleteRoute', 'ReplaceRouteTableAssociation', 'DeleteRouteTable'],
  ...['DeleteNatGateway', 'DetachInternetGateway', 'DeleteInternetGateway'],
  ...['DeleteEgressOnlyInternetGateway', 'DeleteVpcEndpoints', 'ModifyVpcEndpoint'],
  ...['DeleteSubnet', 'ModifySubnetAttribute', 'DeleteVpc', 'ModifyVpcAttribute', 'DisassociateVpcCidrBlock'],
  ...['CreateTags', 'DeleteTags'],
];

/** The same of load balancers of both generations. */
const LOAD_BALANCER_CALLS = [
  ...['DeleteLoadBalancer', 'ModifyLoadBalancerAttributes', 'SetSubnets', 'SetSecurityGroups', 'AddTags', 'RemoveTags'],
  ...['CreateListener', 'ModifyListener', 'DeleteListener', 'DeleteTargetGroup', 'DeregisterTargets'],
  ...['ModifyTargetGroup', 'ModifyTargetGroupAttributes'],
  ...['DeleteLoadBalancerListeners', 'DeregisterInstancesFromLoadBalancer', 'ConfigureHealthCheck'],
];

/** What is older says nothing that the sweep has not seen. */
const MAX_AGE = Duration.minutes(15);

/**
 * Hands to `target` the calls that change what clusters are made of, as a trail of the account tells EventBridge, less
 * those that AWS refused and those of the stack's own functions, whose roles bear its name. Nothing where the settings
 * do not say that there is a trail.
 */
export const apiCallEvents = (
  scope: Construct,
  target: LambdaFunctionConstruct,
  { settings, deadLetterQueue }: { settings: Settings; deadLetterQueue: Queue },
): void => {
  if (!settings.apiCallEvents) return;
  const ownRoles = { prefix: `${settings.stackName}-` };
  new Rule(scope, 'ApiCalls', {
    description: 'Somebody changed what networks and load balancers are made of',
    eventPattern: {
      source: ['aws.ec2', 'aws.elasticloadbalancing'],
      detailType: [API_CALL],
      detail: {
        eventName: [...NETWORK_CALLS, ...LOAD_BALANCER_CALLS],
        errorCode: [{ exists: false }],
        userIdentity: {
          sessionContext: { sessionIssuer: { userName: [{ exists: false }, { 'anything-but': ownRoles }] } },
        },
      },
    },
    targets: [new LambdaFunction(target, { deadLetterQueue, maxEventAge: MAX_AGE, retryAttempts: 2 })],
  });
};
