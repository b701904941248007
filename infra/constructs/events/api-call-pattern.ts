import { API_CALL } from '../../../shared/providers/aws/plan/drift/api-call.ts';

/** Calls that change what networks of clusters are made of. */
const NETWORK_CALLS = [
  ...['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'ModifySecurityGroupRules', 'DeleteSecurityGroup'],
  ...['CreateRoute', 'ReplaceRoute', 'DeleteRoute', 'DeleteRouteTable'],
  ...['AssociateRouteTable', 'ReplaceRouteTableAssociation'],
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

/** If the name of a role would be too long, CloudFormation shortens the stack's name, but not to less than this. */
const KEPT_CHARACTERS = 24;

/** How the names of the roles of the stack's functions begin. */
const rolePrefix = (stackName: string): string => `${stackName}-`.slice(0, KEPT_CHARACTERS);

/** Which calls of a trail are sent on: not those that AWS refused, nor those of the stack's own functions. */
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
