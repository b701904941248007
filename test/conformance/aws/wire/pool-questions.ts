import { countIn, valueIn } from '../raw.ts';
import { ec2, SUBNET, VPC } from './given.ts';
import type { Call, Question } from './question.ts';
import { TEMPLATE } from './template-questions.ts';

const groups = (operation: string, input?: Call['input'], take?: Call['take']): Call => ({
  ...{ service: 'autoscaling', operation, input, take },
});

const NAMED = { AutoScalingGroupName: '{unique}' };
const GROUP_INPUT = {
  ...NAMED,
  ...{ MinSize: 0, MaxSize: 3, VPCZoneIdentifier: '{subnet}' },
  'LaunchTemplate.LaunchTemplateId': '{template}',
};

const create = (change: Record<string, unknown> = {}) =>
  groups('CreateAutoScalingGroup', { ...GROUP_INPUT, ...change });
const update = (change: Record<string, unknown>) => groups('UpdateAutoScalingGroup', { ...NAMED, ...change });
const NAMES = { 'AutoScalingGroupNames.member.1': '{unique}' };
const describe = (change: Record<string, unknown> = {}) => groups('DescribeAutoScalingGroups', { ...NAMES, ...change });
const BASE = [VPC, SUBNET, TEMPLATE];
const LOST = 'i-0123456789abcdef0';

/** Creates a group, waits until its only instance is in service, and takes the instance's id. */
const ONE: readonly Call[] = [
  ...BASE,
  create({ DesiredCapacity: 1 }),
  { ...describe(), until: ({ body }) => body.includes('>InService<'), take: { instance: 'InstanceId' } },
];

const fieldOf =
  (element: string) =>
  ({ body }: { body: string }) =>
    valueIn(body, element) || 'none';
const countOf =
  (element: string) =>
  ({ body }: { body: string }) =>
    String(countIn(body, element));
const hook = (change: Record<string, unknown> = {}) =>
  groups('PutLifecycleHook', {
    ...{ ...NAMED, LifecycleHookName: 'drain' },
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    ...change,
  });
const tag = (number: number, key: string, propagates: boolean) => ({
  [`Tags.member.${number}.Key`]: key,
  [`Tags.member.${number}.Value`]: 'a',
  [`Tags.member.${number}.PropagateAtLaunch`]: String(propagates),
});
const refresh = groups('StartInstanceRefresh', { ...NAMED });
const instances = ec2('DescribeInstances', { 'InstanceId.1': '{instance}' });

const CREATING: readonly Question[] = [
  { name: 'a group', given: BASE, ask: create() },
  { name: 'a group whose name is taken', given: [...BASE, create()], ask: create() },
  {
    name: 'a group without a template',
    given: BASE,
    ask: groups('CreateAutoScalingGroup', { ...NAMED, MinSize: 0, MaxSize: 1, VPCZoneIdentifier: '{subnet}' }),
  },
  {
    name: 'a group with a template that does not exist',
    given: [VPC, SUBNET],
    ask: create({ 'LaunchTemplate.LaunchTemplateId': 'lt-0123456789abcdef0' }),
  },
  { name: 'a group with a version that does not exist', given: BASE, ask: create({ 'LaunchTemplate.Version': 7 }) },
  { name: 'a group whose minimum is above its maximum', given: BASE, ask: create({ MinSize: 4 }) },
  { name: 'a group that wants more than its maximum', given: BASE, ask: create({ DesiredCapacity: 4 }) },
  { name: 'a group without subnets and zones', given: BASE, ask: create({ VPCZoneIdentifier: '' }) },
  {
    name: 'a group in a subnet that does not exist',
    given: BASE,
    ask: create({ VPCZoneIdentifier: 'subnet-0123456789abcdef0' }),
  },
  {
    name: 'a group with an unknown target group',
    given: BASE,
    ask: create({
      'TargetGroupARNs.member.1':
        'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup/none/0123456789abcdef',
    }),
  },
  {
    name: 'a group with an unknown termination policy',
    given: BASE,
    ask: create({ 'TerminationPolicies.member.1': 'Youngest' }),
  },
  { name: 'the cooldown of a new group', given: [...BASE, create()], ask: describe(), see: fieldOf('DefaultCooldown') },
  {
    name: 'the health check of a new group',
    given: [...BASE, create()],
    ask: describe(),
    see: fieldOf('HealthCheckType'),
  },
  {
    name: 'a mixed instances policy with an unknown strategy',
    given: BASE,
    ask: groups('CreateAutoScalingGroup', {
      ...{ ...NAMED, MinSize: 0, MaxSize: 1, VPCZoneIdentifier: '{subnet}' },
      'MixedInstancesPolicy.LaunchTemplate.LaunchTemplateSpecification.LaunchTemplateId': '{template}',
      'MixedInstancesPolicy.InstancesDistribution.SpotAllocationStrategy': 'cheapest',
    }),
  },
];

const RUNNING: readonly Question[] = [
  { name: 'the instances of a group of one', given: ONE, ask: describe(), see: countOf('InstanceId') },
  {
    name: 'the name of its group among the tags of an instance',
    given: ONE,
    ask: instances,
    see: ({ body }) => (body.includes('aws:autoscaling:groupName') ? 'there' : 'not there'),
  },
  {
    name: 'the tags of a group on its instances, where they are to be',
    given: [
      ...BASE,
      create({ DesiredCapacity: 1, ...tag(1, 'given', true), ...tag(2, 'kept', false) }),
      { ...describe(), until: ({ body }) => body.includes('>InService<'), take: { instance: 'InstanceId' } },
    ],
    ask: instances,
    see: ({ body }) => ['given', 'kept'].filter((key) => body.includes(`<key>${key}</key>`)).join(', '),
  },
  {
    name: 'more instances than the maximum',
    given: [...BASE, create()],
    ask: groups('SetDesiredCapacity', { ...NAMED, DesiredCapacity: 4 }),
  },
  {
    name: 'fewer instances than the minimum',
    given: [...BASE, create({ MinSize: 1 })],
    ask: groups('SetDesiredCapacity', { ...NAMED, DesiredCapacity: 0 }),
  },
  {
    name: 'the desired capacity after the minimum was raised',
    given: [...BASE, create(), update({ MinSize: 2 })],
    ask: describe(),
    see: fieldOf('DesiredCapacity'),
  },
  {
    name: 'the desired capacity after the maximum was lowered',
    given: [...BASE, create({ DesiredCapacity: 2 }), update({ MaxSize: 1 })],
    ask: describe(),
    see: fieldOf('DesiredCapacity'),
  },
  { name: 'an update of a group that does not exist', ask: update({ MinSize: 1 }) },
  { name: 'delete a group that does not exist', ask: groups('DeleteAutoScalingGroup', NAMED) },
  { name: 'delete a group with an instance', given: ONE, ask: groups('DeleteAutoScalingGroup', NAMED) },
  {
    name: 'an instance of a group that is deleted by force',
    given: [
      ...ONE,
      groups('DeleteAutoScalingGroup', { ...NAMED, ForceDelete: 'true' }),
      { ...instances, until: ({ body }) => body.includes('<name>terminated<') },
    ],
    ask: instances,
    see: ({ body }) => (body.includes('<name>terminated<') ? 'terminated' : 'there'),
  },
  {
    name: 'terminate an instance of no group',
    ask: groups('TerminateInstanceInAutoScalingGroup', {
      ...{ InstanceId: LOST, ShouldDecrementDesiredCapacity: 'false' },
    }),
  },
  {
    name: 'terminate the last instance that the minimum allows',
    given: [...ONE, update({ MinSize: 1 })],
    ask: groups('TerminateInstanceInAutoScalingGroup', {
      ...{ InstanceId: '{instance}', ShouldDecrementDesiredCapacity: 'true' },
    }),
  },
  {
    name: 'protect an instance of no group',
    given: [...BASE, create()],
    ask: groups('SetInstanceProtection', {
      ...{ ...NAMED, 'InstanceIds.member.1': LOST, ProtectedFromScaleIn: 'true' },
    }),
  },
  {
    name: 'the protection of an instance',
    given: [
      ...ONE,
      groups('SetInstanceProtection', { ...NAMED, 'InstanceIds.member.1': '{instance}', ProtectedFromScaleIn: 'true' }),
    ],
    ask: groups('DescribeAutoScalingInstances', { 'InstanceIds.member.1': '{instance}' }),
    see: fieldOf('ProtectedFromScaleIn'),
  },
  {
    name: 'the health of an instance of no group',
    ask: groups('SetInstanceHealth', { InstanceId: LOST, HealthStatus: 'Unhealthy' }),
  },
  { name: 'the activities of a group that does not exist', ask: groups('DescribeScalingActivities', NAMED) },
];

const AROUND: readonly Question[] = [
  {
    name: 'suspend an unknown process',
    given: [...BASE, create()],
    ask: groups('SuspendProcesses', { ...NAMED, 'ScalingProcesses.member.1': 'Sleep' }),
  },
  {
    name: 'how many processes there are to suspend',
    given: [...BASE, create(), groups('SuspendProcesses', NAMED)],
    ask: describe(),
    see: countOf('ProcessName'),
  },
  { name: 'a hook with a timeout of a second', given: [...BASE, create()], ask: hook({ HeartbeatTimeout: 1 }) },
  {
    name: 'a hook with an unknown transition',
    given: [...BASE, create()],
    ask: hook({ LifecycleTransition: 'sleep' }),
  },
  {
    name: 'the timeout and the default result of a hook',
    given: [...BASE, create(), hook()],
    ask: groups('DescribeLifecycleHooks', NAMED),
    see: ({ body }) => `${valueIn(body, 'HeartbeatTimeout')} ${valueIn(body, 'DefaultResult')}`,
  },
  {
    name: 'delete a hook that does not exist',
    given: [...BASE, create()],
    ask: groups('DeleteLifecycleHook', { ...NAMED, LifecycleHookName: 'drain' }),
  },
  {
    name: 'complete an action that is not there',
    given: [...BASE, create(), hook()],
    ask: groups('CompleteLifecycleAction', {
      ...{ ...NAMED, LifecycleHookName: 'drain', InstanceId: LOST, LifecycleActionResult: 'CONTINUE' },
    }),
  },
  { name: 'start an instance refresh', given: ONE, ask: refresh },
  { name: 'start a second instance refresh', given: [...ONE, refresh], ask: refresh },
  {
    name: 'cancel an instance refresh that is not there',
    given: [...BASE, create()],
    ask: groups('CancelInstanceRefresh', NAMED),
  },
  {
    name: 'an instance refresh with a minimum above 100 percent',
    given: [...BASE, create()],
    ask: groups('StartInstanceRefresh', { ...NAMED, 'Preferences.MinHealthyPercentage': 101 }),
  },
  {
    name: 'the state of the instances in a new warm pool',
    given: [...BASE, create(), groups('PutWarmPool', { ...NAMED, MinSize: 1 })],
    ask: groups('DescribeWarmPool', NAMED),
    see: ({ body }) => `${valueIn(body, 'PoolState')}, ${valueIn(body, 'MinSize')}`,
  },
  { name: 'delete a warm pool that is not there', given: [...BASE, create()], ask: groups('DeleteWarmPool', NAMED) },
  {
    name: 'a tag for a group that does not exist',
    ask: groups('CreateOrUpdateTags', {
      ...tag(1, 'team', true),
      ...{ 'Tags.member.1.ResourceId': '{unique}', 'Tags.member.1.ResourceType': 'auto-scaling-group' },
    }),
  },
  {
    name: 'a tag of a group that is reserved for AWS',
    given: BASE,
    ask: create({ ...tag(1, 'aws:team', true) }),
  },
  {
    name: 'groups by a tag',
    given: [...BASE, create({ ...tag(1, '{unique}', true) })],
    ask: groups('DescribeAutoScalingGroups', {
      ...{ 'Filters.member.1.Name': 'tag:team', 'Filters.member.1.Values.member.1': 'none' },
    }),
    see: ({ body }) => (countIn(body, 'AutoScalingGroupName') === 0 ? 'none' : 'some'),
  },
  { name: 'groups in an unknown page', ask: groups('DescribeAutoScalingGroups', { NextToken: '?' }) },
];

export const POOL_QUESTIONS: readonly Question[] = [...CREATING, ...RUNNING, ...AROUND];
