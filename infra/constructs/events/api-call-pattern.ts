import { API_CALL } from '../../../shared/providers/aws/plan/drift/api-call.ts';

/** Calls that change the parts of clusters' networks. */
const NETWORK_CALLS = [
  ...['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'ModifySecurityGroupRules', 'DeleteSecurityGroup'],
  ...['CreateRoute', 'ReplaceRoute', 'DeleteRoute', 'DeleteRouteTable'],
  ...['AssociateRouteTable', 'ReplaceRouteTableAssociation'],
  ...['DeleteNatGateway', 'DetachInternetGateway', 'DeleteInternetGateway'],
  ...['DeleteEgressOnlyInternetGateway', 'DeleteVpcEndpoints', 'ModifyVpcEndpoint'],
  ...['DeleteSubnet', 'ModifySubnetAttribute', 'DeleteVpc', 'ModifyVpcAttribute', 'DisassociateVpcCidrBlock'],
  ...['CreateTags', 'DeleteTags'],
];

/** Calls that change load balancers of both generations. */
const LOAD_BALANCER_CALLS = [
  ...['DeleteLoadBalancer', 'ModifyLoadBalancerAttributes', 'SetSubnets', 'SetSecurityGroups', 'AddTags', 'RemoveTags'],
  ...['CreateListener', 'ModifyListener', 'DeleteListener', 'DeleteTargetGroup', 'DeregisterTargets'],
  ...['ModifyTargetGroup', 'ModifyTargetGroupAttributes'],
  ...['DeleteLoadBalancerListeners', 'DeregisterInstancesFromLoadBalancer', 'ConfigureHealthCheck'],
];

/** If a role's name would be too long, CloudFormation shortens the stack's name, but to no less than this. */
const KEPT_CHARACTERS = 24;

/** The prefix of the role names of the stack's functions. */
const rolePrefix = (stackName: string): string => `${stackName}-`.slice(0, KEPT_CHARACTERS);

/** Selects the calls of a trail, without those that AWS refused and those of the stack's own functions. */
export const apiCallPattern = (stackName: string) => ({
  source: ['aws.ec2', 'aws.elasticloadbalancing'],
  detailType: [API_CALL],
  detail: {
    eventName: [...NETWORK_CALLS, ...LOAD_BALANCER_CALLS],
    errorCode: [{ exists: false }],
    userIdentity: {
      sessionContext: {
        sessionIssuer: { userName: [{ exists: false }, { 'anything-but': { prefix: rolePrefix(stackName) } }] },
      },
    },
  },
});
