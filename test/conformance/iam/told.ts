/** Finds the events that report changes to the account on the object that caused them. */
import type { Event } from '../../../shared/kinds/index.ts';
import { causeOf, isOfCause } from './cause.ts';
import type { MadeCall } from './recording.ts';

/** Reasons that upstream, and therefore Windlass, names differently from AWS's operations. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  'autoscaling:CancelInstanceRefresh': /^InstanceRefreshCancelled$/,
  'autoscaling:CreateAutoScalingGroup': /^SuccessfulCreate$/,
  'autoscaling:CreateOrUpdateTags': /^SuccessfulUpdate$/,
  'autoscaling:DeleteAutoScalingGroup': /^SuccessfulDelete$/,
  'autoscaling:DeleteLifecycleHook': /^SuccessfulUpdate$/,
  'autoscaling:DeleteTags': /^SuccessfulUpdate$/,
  'autoscaling:DeleteWarmPool': /^SuccessfulUpdate$/,
  'autoscaling:PutLifecycleHook': /^SuccessfulUpdate$/,
  'autoscaling:PutWarmPool': /^SuccessfulUpdate$/,
  'autoscaling:ResumeProcesses': /^SuccessfulUpdate$/,
  'autoscaling:StartInstanceRefresh': /^InstanceRefreshStarted$/,
  'autoscaling:SuspendProcesses': /^SuccessfulUpdate$/,
  'autoscaling:UpdateAutoScalingGroup': /^SuccessfulUpdate$/,
  'ec2:CreateLaunchTemplate': /^SuccessfulCreate$/,
  'ec2:CreateLaunchTemplateVersion': /^SuccessfulUpdate$/,
  'ec2:DeleteLaunchTemplate': /^SuccessfulDelete$/,
  'ec2:DeleteLaunchTemplateVersions': /^SuccessfulUpdate$/,
  'ec2:AssociateVpcCidrBlock': /^SuccessfulAssociateSecondaryCidr$/,
  'ec2:DisassociateVpcCidrBlock': /^SuccessfulDisassociateSecondaryCidr$/,
  'ec2:ModifyVpcEndpoint': /^SuccessfulModifyVPCEndpoint$/,
  'ec2:ReplaceRoute': /^SuccessfulCreateRoute$/,
  'elasticloadbalancing:RemoveTags': /^SuccessfulRemoveLoadBalancerTags$/,
  'elasticloadbalancing:SetIpAddressType': /^SuccessfulSetLoadBalancerIpAddressType$/,
  'ec2:AllocateAddress': /^SuccessfulAllocateEIP$/,
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
  'ec2:CreateTags': /^SuccessfulTag(Resource|Instance|Volumes)$/,
  'ec2:DeleteTags': /^Successful(DeleteTags|TagInstance)$/,
  'ec2:ModifyInstanceMetadataOptions': /^SuccessfulSetMetadataOptions$/,
  'ec2:ModifyNetworkInterfaceAttribute': /^SuccessfulSetSecurityGroups$/,
  'ec2:RevokeSecurityGroupEgress': /^SuccessfulRevokeSecurityGroup(Egress|Ingress)Rules$/,
  'ec2:RunInstances': /^SuccessfulCreate(Bastion)?$/,
  'ec2:StartInstances': /^SuccessfulStartInstance$/,
  'ec2:TerminateInstances': /^SuccessfulTerminate(Bastion|UnknownInstance)?$/,
  'elasticloadbalancing:AddTags': /^SuccessfulAddLoadBalancerTags$/,
  'elasticloadbalancing:DeleteLoadBalancer': /^SuccessfulDelete(Classic)?LoadBalancer$/,
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

/**
 * Calls whose events contain nothing from the call, because AWS returns the id, or because a cluster has only one such
 * resource. For these, the object must have at least as many events as there were calls for it.
 */
const NAMELESS =
  /^ec2:(AllocateAddress|CreateInternetGateway)$|^elasticloadbalancing:(Create|Delete|Modify)(Listener|LoadBalancerListeners|LoadBalancerAttributes)$/;

/** Changes that no event reports, each with its reason. An exception that is not needed fails the test. */
export const UNTOLD: readonly { actions: RegExp; reason: string }[] = [
  { actions: /^(dynamodb|states):/, reason: 'The table and the workflows are the stack’s own, not the user’s.' },
  { actions: /^kms:(GenerateDataKey|Decrypt)$/, reason: 'A key is used and not changed.' },
  {
    actions: /^autoscaling:CompleteLifecycleAction$/,
    reason:
      'It ends a wait of the group, which terminates or launches the instance in any case; events report the drain.',
  },
  {
    actions: /^lambda:Invoke$/,
    reason: 'The response of an extension changes the cluster; conditions report that.',
  },
  {
    actions: /^sts:AssumeRole$/,
    reason: 'A session changes nothing; a condition of the AWSCluster shows its identity.',
  },
];

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Everything in the call that a message could contain: ids, names, and the names in ARNs. */
const namesIn = ({ input, touched }: MadeCall): string[] => {
  const texts = [...textsIn(input), ...touched.map(({ arn }) => arn)];
  return [...new Set(texts.flatMap((text) => [text, ...text.split(/[/:]/)]))].filter((name) => /^\S{6,}$/.test(name));
};

const actionOf = ({ service, operation }: MadeCall): string => `${service}:${operation}`;

/** The events that may report the call: those with its reason, on the machine or cluster for which it was made. */
const candidates = (call: MadeCall, events: readonly Event[]): Event[] => {
  const action = actionOf(call);
  const reason = OTHERWISE[action] ?? new RegExp(`^Successful${call.operation}(Rules)?$`);
  const cause = causeOf(call);
  return events.filter((event) => reason.test(event.reason ?? '') && isOfCause(event, cause));
};

const isTold = (call: MadeCall, calls: readonly MadeCall[], events: readonly Event[]): boolean => {
  const found = candidates(call, events);
  if (!NAMELESS.test(actionOf(call))) {
    const names = namesIn(call);
    return found.some(({ message = '' }) => names.some((name) => message.includes(name)));
  }
  const cause = JSON.stringify(causeOf(call));
  const alike = calls.filter((one) => actionOf(one) === actionOf(call) && JSON.stringify(causeOf(one)) === cause);
  return found.reduce((sum, { count = 1 }) => sum + count, 0) >= alike.length;
};

/** The successful changes that no event reports on the object that caused them. */
export const untold = (changes: readonly MadeCall[], events: readonly Event[]): string[] =>
  changes
    .filter((call) => !isTold(call, changes, events))
    .map((call) => `${actionOf(call)} for ${JSON.stringify(causeOf(call))}: ${JSON.stringify(call.input)}`);
