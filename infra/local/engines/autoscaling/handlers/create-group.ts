import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import { arnOf } from '../../wire/place.ts';
import { causeTime } from '../activities.ts';
import type { Group } from '../records.ts';
import { type AutoScaling, validationError } from '../state.ts';
import { checkLaunchable } from '../template.ts';
import { readNetwork } from './network.ts';
import { checkSizes, readFields, readSource, SHARED } from './read-group.ts';
import { readHook } from './read-hook.ts';
import { readTags } from './read-tags.ts';
import { readTraffic } from './read-traffic.ts';

const KNOWN = [
  ...SHARED,
  'LifecycleHookSpecificationList',
  'LoadBalancerNames',
  'Tags',
  'TargetGroupARNs',
  'TrafficSources',
];

const checkName = (as: AutoScaling, name: string): void => {
  if (name === '' || name.length > 255 || name.includes(':'))
    throw validationError(
      `1 validation error detected: Value '${name}' at 'autoScalingGroupName' failed to satisfy constraint: Member must have length between 1 and 255 and contain no colon`,
    );
  if (as.groups.has(name))
    throw new AwsFault(
      'AlreadyExists',
      `AutoScalingGroup by this name already exists - A group with the name ${name} already exists`,
    );
};

const checkLimit = ({ groups, settings }: AutoScaling): void => {
  if (groups.size < settings.autoScalingGroups) return;
  const message = 'You have already reached your limit of AutoScalingGroups for this account and region.';
  throw new AwsFault('LimitExceeded', message);
};

const sizesOf = ({ MinSize: min, MaxSize: max, DesiredCapacity }: sdk.CreateAutoScalingGroupType) => {
  if (min === undefined || max === undefined) throw validationError('MinSize and MaxSize are required');
  const sizes = { min, max, desired: DesiredCapacity ?? min };
  checkSizes(sizes);
  return sizes;
};

const DEFAULTS = {
  cooldownSeconds: 300,
  warmupSeconds: undefined,
  healthCheckType: 'EC2',
  gracePeriodSeconds: 0,
  placementGroup: undefined,
  terminationPolicies: ['Default'],
  protectsNew: false,
  rebalancesCapacity: undefined,
  maxLifetimeSeconds: undefined,
  maintenance: undefined,
  context: undefined,
} satisfies Partial<Group>;

const SERVICE_ROLE = 'role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling';

/** The initial state of every new group. */
const born = (as: AutoScaling, name: string) => {
  const { place, counters } = as;
  counters.sequence += 1;
  const resource = `autoScalingGroup:${place.random.uuid()}:autoScalingGroupName/${name}`;
  return {
    name,
    arn: arnOf(place, 'autoscaling', resource),
    createdAt: as.now(),
    sequence: counters.sequence,
    suspended: new Map<string, string>(),
    members: new Map(),
    activities: [],
    refreshes: [],
    warmPool: undefined,
    replacements: 0,
    failures: 0,
    retryAt: 0,
    scaledAt: undefined,
    isDeleting: false,
  };
};

/** Creates a group. Throws before anything is changed; its launches follow when the groups settle. */
export const createGroup = (as: AutoScaling, input: sdk.CreateAutoScalingGroupType): Group => {
  onlySimulated('autoscaling:CreateAutoScalingGroup', input, KNOWN);
  const name = input.AutoScalingGroupName ?? '';
  checkName(as, name);
  checkLimit(as);
  const source = readSource(as, input);
  if (!source)
    throw validationError(
      'Valid requests must contain either LaunchTemplate, LaunchConfigurationName, InstanceId or MixedInstancesPolicy parameter.',
    );
  const sizes = sizesOf(input);
  const network = readNetwork(as, input);
  const fields = readFields(input);
  const hooks = (input.LifecycleHookSpecificationList ?? []).map((hook) => readHook(hook, undefined));
  const [tags, traffic] = [readTags(name, input.Tags ?? []), readTraffic(as, input)];
  checkLaunchable(as, source, network.subnetIds[0] ?? '');
  const { accountId } = as.place;
  const group: Group = {
    ...born(as, name),
    ...DEFAULTS,
    ...{ source, tags, hooks: new Map(hooks.map((hook) => [hook.name, hook])) },
    ...sizes,
    ...network,
    ...traffic,
    ...fields,
    serviceLinkedRoleArn: input.ServiceLinkedRoleARN ?? `arn:aws:iam::${accountId}:${SERVICE_ROLE}`,
    cause: `At ${causeTime(as.now())} a user request created an AutoScalingGroup changing the desired capacity from 0 to ${sizes.desired}.  `,
  };
  as.groups.set(name, group);
  return group;
};
