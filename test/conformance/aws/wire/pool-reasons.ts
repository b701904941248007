/** Like `REASONS`, for launch templates and Auto Scaling groups. */
export const POOL_REASONS: Readonly<Record<string, string>> = {
  'a launch template with a name of two letters':
    'the reference of CreateLaunchTemplate: LaunchTemplateName, 3 to 128 characters',
  'a launch template with a space in its name':
    'the reference of CreateLaunchTemplate: the pattern of LaunchTemplateName has no spaces',
  'a launch template without parameters': 'the reference of CreateLaunchTemplate: LaunchTemplateData is required',
  'a launch template with tags of a VPC':
    'the reference of CreateLaunchTemplate: TagSpecifications take the type launch-template',
  'a launch template, requested twice with one token':
    'the reference of CreateLaunchTemplate: a client token makes it idempotent',
  'another launch template with a token that was used':
    'the list of error codes of EC2: IdempotentParameterMismatch for other parameters with the same client token',
  'describe a launch template that does not exist':
    'the list of error codes of EC2: InvalidLaunchTemplateId.NotFound for a template that does not exist',
  'delete a launch template that does not exist':
    'the list of error codes of EC2: InvalidLaunchTemplateId.NotFound for a template that does not exist',
  'a version whose source does not exist':
    'the list of error codes of EC2: InvalidLaunchTemplateId.VersionNotFound for a version that does not exist',
  'versions that are deleted, one of them the default':
    'the reference of DeleteLaunchTemplateVersions: the default version cannot be deleted, and the answer lists both kinds',
  'a launch from a template that does not exist':
    'the list of error codes of EC2: InvalidLaunchTemplateId.NotFound for a template that does not exist',
  'a group with a template that does not exist':
    'the troubleshooting guide of Auto Scaling: a launch template that is not valid gives a ValidationError, "You must use a valid fully-formed launch template"',
  'a group with a version that does not exist': 'the same place as for a template that does not exist',
  'a group whose minimum is above its maximum':
    'the reference of CreateAutoScalingGroup: MinSize is not above MaxSize; the common error of the API is ValidationError',
  'a group that wants more than its maximum':
    'the reference of CreateAutoScalingGroup: DesiredCapacity is between MinSize and MaxSize',
  'a group in a subnet that does not exist':
    'the troubleshooting guide of Auto Scaling: errors of a request are ValidationErrors, codes of EC2 are not passed on',
  'a group with an unknown target group':
    'the troubleshooting guide of Auto Scaling: a target group that does not exist gives a ValidationError, "Provided Target Groups may not be valid"',
  'a group with an unknown termination policy':
    'the reference of CreateAutoScalingGroup: TerminationPolicies has a list of valid values',
  'a mixed instances policy with an unknown strategy':
    'the reference of InstancesDistribution: SpotAllocationStrategy has a list of valid values',
  'more instances than the maximum':
    'the reference of SetDesiredCapacity: the capacity is within the bounds of the group',
  'fewer instances than the minimum':
    'the reference of SetDesiredCapacity: the capacity is within the bounds of the group',
  'delete a group with an instance':
    'the reference of DeleteAutoScalingGroup: ForceDelete is needed where the group has instances; ResourceInUse',
  'terminate an instance of no group':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'terminate the last instance that the minimum allows':
    'the guide of Auto Scaling, on terminating an instance: the desired capacity is not decremented below the minimum',
  'protect an instance of no group': 'the reference of SetInstanceProtection: the instances are those of the group',
  'the health of an instance of no group':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'the activities of a group that does not exist':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'suspend an unknown process': 'the reference of ScalingProcessQuery: ScalingProcesses has a list of valid values',
  'a hook with a timeout of a second': 'the reference of PutLifecycleHook: HeartbeatTimeout, 30 to 7200 seconds',
  'a hook with an unknown transition': 'the reference of PutLifecycleHook: LifecycleTransition has two valid values',
  'delete a hook that does not exist':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'complete an action that is not there':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'start a second instance refresh': 'the reference of StartInstanceRefresh: InstanceRefreshInProgress',
  'an instance refresh with a minimum above 100 percent':
    'the reference of RefreshPreferences: MinHealthyPercentage, 0 to 100',
  'delete a warm pool that is not there':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'a tag for a group that does not exist':
    'the common errors of Auto Scaling: ValidationError where the input does not satisfy the constraints of the service',
  'a tag of a group that is reserved for AWS': 'the guide of Auto Scaling, on tags: keys may not begin with aws:',
  'groups in an unknown page': 'the reference of DescribeAutoScalingGroups: InvalidNextToken',
};
