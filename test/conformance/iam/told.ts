/** The events by which changes of the account are told, by the call that makes the change. */

/** What upstream, and therefore we, call it otherwise than AWS does. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  'ec2:AllocateAddress': /^SuccessfulAllocateEIP$/,
  'ec2:DeleteTags': /^SuccessfulTagInstance$/,
  'ec2:AllocateHosts': /^SuccessfulAllocateDedicatedHost$/,
  'ec2:ReleaseHosts': /^SuccessfulReleaseHost$/,
  'ec2:AssociateAddress': /^SuccessfulAssociateEIP$/,
  'ec2:CreateNatGateway': /^SuccessfulCreateNATGateway$/,
  'ec2:CreateVpc': /^SuccessfulCreateVPC$/,
  'ec2:CreateVpcEndpoint': /^SuccessfulCreateVPCEndpoint$/,
  'ec2:DeleteNatGateway': /^SuccessfulDeleteNATGateway$/,
  'ec2:DeleteVpc': /^SuccessfulDeleteVPC$/,
  'ec2:DeleteVpcEndpoints': /^SuccessfulDeleteVPCEndpoint$/,
  'ec2:ModifySubnetAttribute': /^SuccessfulModifySubnetAttributes$/,
  'ec2:ModifyVpcAttribute': /^SuccessfulSetVPCAttributes$/,
  'ec2:ReleaseAddress': /^SuccessfulReleaseEIP$/,
  'ec2:RunInstances': /^SuccessfulCreate$/,
  'ec2:TerminateInstances': /^SuccessfulTerminate$/,
  'elasticloadbalancing:ModifyLoadBalancerAttributes': /^SuccessfulConfigureLoadBalancerAttributes$/,
  'elasticloadbalancing:ModifyTargetGroupAttributes': /^SuccessfulConfigureTargetGroupAttributes$/,
  'elasticloadbalancing:SetSecurityGroups': /^SuccessfulSetLoadBalancerSecurityGroups$/,
  'elasticloadbalancing:SetSubnets': /^SuccessfulSetLoadBalancerSubnets$/,
  'elasticloadbalancing:ModifyTargetGroup': /^SuccessfulConfigureTargetGroupHealthCheck$/,
  'elasticloadbalancing:ApplySecurityGroupsToLoadBalancer': /^SuccessfulSetLoadBalancerSecurityGroups$/,
  'elasticloadbalancing:AttachLoadBalancerToSubnets': /^SuccessfulSetLoadBalancerSubnets$/,
  'elasticloadbalancing:ConfigureHealthCheck': /^SuccessfulConfigureTargetGroupHealthCheck$/,
  'elasticloadbalancing:CreateLoadBalancerListeners': /^SuccessfulCreateListener$/,
  'elasticloadbalancing:DeleteLoadBalancerListeners': /^SuccessfulDeleteListener$/,
  'elasticloadbalancing:RegisterInstancesWithLoadBalancer': /^SuccessfulAttachControlPlaneELB$/,
  'elasticloadbalancing:DeregisterInstancesFromLoadBalancer': /^SuccessfulDetachControlPlaneELB$/,
  'elasticloadbalancing:RegisterTargets': /^SuccessfulAttachControlPlaneELB$/,
  'elasticloadbalancing:DeregisterTargets': /^SuccessfulDetachControlPlaneELB$/,
  's3:PutBucketPolicy': /^SuccessfulConfigureBucket$/,
  's3:PutBucketTagging': /^SuccessfulConfigureBucket$/,
  's3:PutObject': /^SuccessfulPutBootstrapObject$/,
  's3:DeleteObject': /^SuccessfulDeleteBootstrapObject$/,
  'secretsmanager:CreateSecret': /^SuccessfulCreateBootstrapSecret$/,
  'secretsmanager:DeleteSecret': /^SuccessfulDeleteBootstrapSecret$/,
  'ssm:PutParameter': /^SuccessfulCreateBootstrapSecret$/,
  'ssm:DeleteParameter': /^SuccessfulDeleteBootstrapSecret$/,
};

/** Whether one of the events' reasons tells of the action: `Successful` and its name, where it has no name of its own. */
export const isTold = (action: string, reasons: readonly string[]): boolean => {
  const name = action.split(':')[1] ?? '';
  const told = OTHERWISE[action] ?? new RegExp(`^Successful${name}(Rules)?$`);
  return reasons.some((reason) => told.test(reason));
};

/** Changes of which no event tells, each with its reason. A reason that is not needed (any more) fails the test. */
export const UNTOLD: readonly { actions: RegExp; reason: string }[] = [
  { actions: /^(dynamodb|states):/, reason: 'The table and the workflows are the stack’s own, not the user’s.' },
  { actions: /^kms:/, reason: 'A key is used and not changed.' },
  { actions: /^iam:PassRole$/, reason: 'A part of RunInstances, which is told.' },
  { actions: /^iam:CreateServiceLinkedRole$/, reason: 'AWS makes the role of its own service, once in an account.' },
  {
    actions: /^ec2:CreateTags$|:AddTags$|:TagResource$|:AddTagsToResource$/,
    reason:
      'A part of the call that creates what is tagged, which is told; a tag that is put back is SuccessfulTagResource.',
  },
];
