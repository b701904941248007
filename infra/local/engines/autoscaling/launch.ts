/** Launches instances for a group, through the code of RunInstances. */
import type { RunInstancesRequest } from '@aws-sdk/client-ec2';
import { runInstances } from '../ec2/instances/run-instances.ts';
import type { Instance } from '../ec2/records.ts';
import { AwsFault } from '../wire/fault.ts';
import { beginActivity, causeTime, endActivity } from './activities.ts';
import { activeMembers, capacityOf, pooledMembers } from './members.ts';
import { type Choice, choicesFor } from './mixed.ts';
import type { Group, Member, Source, Spot, UsedTemplate } from './records.ts';
import type { AutoScaling } from './state.ts';
import { requestFor, resolveTemplate } from './template.ts';

interface Attempt {
  readonly choice: Choice;
  readonly subnetId: string;
  readonly zone: string;
}

/** The subnets of a group: the zone with the fewest instances first, and in a zone the subnet with the fewest. */
const subnetsInOrder = (as: AutoScaling, group: Group, members: readonly Member[]) => {
  // A deleted subnet is tried as well: the failure reports it.
  const places = group.subnetIds.map((subnetId) => ({
    subnetId,
    zone: as.neighbours.ec2.subnets.find(subnetId)?.zone ?? '',
  }));
  const inZone = (zone: string) => members.filter((member) => member.zone === zone).length;
  const inSubnet = (id: string) => members.filter(({ subnetId }) => subnetId === id).length;
  return places.toSorted((a, b) => inZone(a.zone) - inZone(b.zone) || inSubnet(a.subnetId) - inSubnet(b.subnetId));
};

const instanceTags = (group: Group): { Key: string; Value: string }[] =>
  [...group.tags].filter(([, { propagates }]) => propagates).map(([Key, { value }]) => ({ Key, Value: value }));

const requestOf = (as: AutoScaling, group: Group, { choice, subnetId }: Attempt, template: UsedTemplate) => {
  const Tags = instanceTags(group);
  const more: Partial<RunInstancesRequest> = {
    ...(choice.instanceType ? { InstanceType: choice.instanceType as RunInstancesRequest['InstanceType'] } : {}),
    ...(Tags.length > 0 ? { TagSpecifications: [{ ResourceType: 'instance', Tags }] } : {}),
    ...(group.placementGroup ? { Placement: { GroupName: group.placementGroup } } : {}),
  };
  if (choice.isSpot) {
    const SpotOptions = choice.maxPrice ? { MaxPrice: choice.maxPrice } : undefined;
    more.InstanceMarketOptions = { MarketType: 'spot', ...(SpotOptions ? { SpotOptions } : {}) };
  }
  return requestFor(as, template, subnetId, more);
};

/** Launches one instance. Throws EC2's fault. */
const tryLaunch = (as: AutoScaling, group: Group, attempt: Attempt): { instance: Instance; template: UsedTemplate } => {
  const template = resolveTemplate(as, attempt.choice.specification);
  const request = requestOf(as, group, attempt, template);
  as.neighbours.admit('RunInstances', request);
  const [instance] = runInstances(as.neighbours.ec2, request, { 'aws:autoscaling:groupName': group.name });
  if (!instance) throw new Error('a launch of one instance launched none');
  return { instance, template };
};

const addMember = (
  as: AutoScaling,
  group: Group,
  { instance, template, weight }: { instance: Instance; template: UsedTemplate; weight: number },
  to: Spot,
): Member => {
  const member: Member = {
    ...{ id: instance.id, zone: instance.zone, subnetId: instance.subnetId, instanceType: instance.instanceType },
    ...{ imageId: instance.imageId, template, weight, isSpot: instance.isSpot, launchedAt: as.now() },
    state: to === 'WarmPool' ? 'Warmed:Pending' : 'Pending',
    unhealthy: undefined,
    isProtected: group.protectsNew,
    inServiceAt: undefined,
    waits: [],
    activityId: undefined,
    ...{ from: 'EC2', to },
  };
  group.members.set(member.id, member);
  return member;
};

/** An activity's text with the reason for a launch. */
export const launchCause = (as: AutoScaling, group: Group, to: Spot): string => {
  const at = causeTime(as.now());
  if (to === 'WarmPool')
    return `At ${at} an instance was launched into the warm pool in response to a difference between the desired and actual warm pool capacity.`;
  const have = capacityOf(activeMembers(group));
  if (group.replacements > 0)
    return `At ${at} an instance was launched in response to an unhealthy instance needing to be replaced.`;
  return `${group.cause}At ${at} an instance was started in response to a difference between desired and actual capacity, increasing the capacity from ${have} to ${group.desired}.`;
};

const failed = (as: AutoScaling, group: Group, { zone, subnetId }: Attempt, cause: string, fault: AwsFault): void => {
  const activity = beginActivity(as, group, {
    description: `Launching a new EC2 instance.  Status Reason: ${fault.message} Launching EC2 instance failed.`,
    ...{ cause, instanceId: undefined, zone, subnetId },
  });
  endActivity(as, group, activity, { status: 'Failed', message: `${fault.message} Launching EC2 instance failed.` });
};

const backOff = (as: AutoScaling, group: Group): void => {
  const { autoScalingRetryMilliseconds: first, autoScalingMaxRetryMilliseconds: most } = as.settings;
  group.retryAt = as.now() + Math.min(first * 2 ** group.failures, most);
  group.failures += 1;
};

/** Failures after which a launch in another zone or of another type may succeed. */
const PASSABLE: readonly string[] = [
  'InsufficientInstanceCapacity',
  'Unsupported',
  'InsufficientFreeAddressesInSubnet',
  'InvalidSubnetID.NotFound',
  'SpotMaxPriceTooLow',
];

/**
 * Launches one instance for the group or its warm pool, in the zone with the fewest instances that has capacity. Each
 * failure is an activity; after the last one, the group waits before it tries again. Returns whether an instance was
 * launched.
 */
export const launchOne = (as: AutoScaling, group: Group, source: Source, to: Spot): boolean => {
  const members = to === 'WarmPool' ? pooledMembers(group) : activeMembers(group);
  const cause = launchCause(as, group, to);
  const places = subnetsInOrder(as, group, members);
  const attempts = places.flatMap((place) =>
    choicesFor(group, source, members).map((choice) => ({ choice, ...place })),
  );
  for (const attempt of attempts) {
    try {
      const made = tryLaunch(as, group, attempt);
      const member = addMember(as, group, { ...made, weight: attempt.choice.weight }, to);
      const description = `Launching a new EC2 instance${to === 'WarmPool' ? ' into warm pool' : ''}: ${member.id}`;
      const { id: instanceId, zone, subnetId } = member;
      member.activityId = beginActivity(as, group, { description, cause, instanceId, zone, subnetId }).id;
      group.failures = 0;
      if (to === 'AutoScalingGroup') group.replacements = Math.max(0, group.replacements - 1);
      return true;
    } catch (error) {
      if (!(error instanceof AwsFault)) throw error;
      failed(as, group, attempt, cause, error);
      if (!PASSABLE.includes(error.code)) break;
    }
  }
  backOff(as, group);
  return false;
};
