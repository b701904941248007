import {
  DeregisterTargetsCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  type ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { isNotFound } from '../../../aws/errors.ts';
import type { Clock } from '../../../clock.ts';
import { readTags } from '../load-balancer/tags/api.ts';
import { isInvalidTarget, isNotRunning } from '../load-balancer/target-groups/api.ts';
import { bearsClusterTag, type GroupMarks } from '../plan/ownership/balancing.ts';
import { OWNER_TAG } from '../tags.ts';
import { createRemembered } from './remembered.ts';

/** A target group of a load balancer: its ARN, the port of its targets, and its owner. */
export interface TargetGroup extends GroupMarks {
  arn: string;
  port: number;
}

/** The calls of ELBv2 with which instances are registered and deregistered. */
export interface Targets {
  /** The target groups of a load balancer, by its name; none if it does not exist. */
  groupsOf(loadBalancerName: string): Promise<TargetGroup[]>;
  /** Registers an instance. Safe to repeat. False while the instance is not running yet. */
  register(group: TargetGroup, instanceId: string): Promise<boolean>;
  /** Deregisters an instance. Succeeds if it is not registered, or if the group is gone. */
  deregister(group: TargetGroup, instanceId: string): Promise<void>;
}

/** The port, implemented with ELBv2. Other AWS errors are passed on unchanged. */
export const createTargets = (client: ElasticLoadBalancingV2Client): Targets => ({
  groupsOf: async (name) => {
    try {
      const { LoadBalancers } = await client.send(new DescribeLoadBalancersCommand({ Names: [name] }));
      const LoadBalancerArn = LoadBalancers?.[0]?.LoadBalancerArn;
      if (!LoadBalancerArn) return [];
      const found = await client.send(new DescribeTargetGroupsCommand({ LoadBalancerArn }));
      const groups = (found.TargetGroups ?? []).flatMap(({ TargetGroupArn, Port }) =>
        TargetGroupArn && Port ? [{ arn: TargetGroupArn, port: Port }] : [],
      );
      if (groups.length === 0) return [];
      const tags = await readTags(client, [LoadBalancerArn, ...groups.map(({ arn }) => arn)]);
      const balancerTags = tags.get(LoadBalancerArn) ?? {};
      return groups.map((group) => ({ ...group, tags: tags.get(group.arn) ?? {}, balancerTags }));
    } catch (error) {
      // Returned for a deleted load balancer, and by some endpoints for one without target groups.
      if (isNotFound(error)) return [];
      throw error;
    }
  },
  register: async ({ arn, port }, instanceId) => {
    try {
      const Targets = [{ Id: instanceId, Port: port }];
      await client.send(new RegisterTargetsCommand({ TargetGroupArn: arn, Targets }));
      return true;
    } catch (error) {
      if (isNotRunning(error)) return false;
      throw error;
    }
  },
  deregister: async ({ arn, port }, instanceId) => {
    try {
      const Targets = [{ Id: instanceId, Port: port }];
      await client.send(new DeregisterTargetsCommand({ TargetGroupArn: arn, Targets }));
    } catch (error) {
      if (!isNotFound(error) && !isInvalidTarget(error)) throw error;
    }
  },
});

/** How long a load balancer's target groups are cached. The cluster's pass fills a group that is added later. */
const GROUP_SECONDS = 60;

/** There are some, and none of them still has to be tagged by a pass. */
const isForGood = (groups: readonly TargetGroup[]): boolean =>
  groups.length > 0 && groups.every(({ tags }) => tags[OWNER_TAG] !== undefined || !bearsClusterTag(tags));

/** The port for instances that are registered together: the target groups are only read once. */
export const shareGroups = (targets: Targets, clock: Pick<Clock, 'now'>): Targets => {
  const known = createRemembered<TargetGroup[]>({ clock, seconds: GROUP_SECONDS, isKept: isForGood });
  const names = new Map<string, string>();
  return {
    ...targets,
    groupsOf: async (name) => {
      const groups = await known.get(name, () => targets.groupsOf(name));
      for (const { arn } of groups) names.set(arn, name);
      return groups;
    },
    register: async (group, instanceId) => {
      try {
        return await targets.register(group, instanceId);
      } catch (error) {
        // The group may have been deleted: the next attempt checks.
        known.forget(names.get(group.arn) ?? '');
        throw error;
      }
    },
  };
};
