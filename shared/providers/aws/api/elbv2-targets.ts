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

/** A target group of a load balancer: the ARN, the port on which its targets are reached, and its owner. */
export interface TargetGroup extends GroupMarks {
  arn: string;
  port: number;
}

/** The calls of ELBv2 that the membership of an instance needs. */
export interface Targets {
  /** The target groups behind a load balancer, by its name; none if there is no such load balancer. */
  groupsOf(loadBalancerName: string): Promise<TargetGroup[]>;
  /** Registers an instance; once more is success. False while the instance does not run yet. */
  register(group: TargetGroup, instanceId: string): Promise<boolean>;
  /** Deregisters an instance; one that is not registered, and a group that is gone, are success. */
  deregister(group: TargetGroup, instanceId: string): Promise<void>;
}

/** The port over ELBv2. AWS errors that are not listed above pass as they are. */
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
      // Returned for a deleted load balancer; and by some endpoints for one without target groups.
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

/** How long a load balancer's target groups are cached; the cluster's pass fills one that is added later. */
const GROUP_SECONDS = 60;

/** There are some, and no pass has still to mark one of them. */
const isForGood = (groups: readonly TargetGroup[]): boolean =>
  groups.length > 0 && groups.every(({ tags }) => tags[OWNER_TAG] !== undefined || !bearsClusterTag(tags));

/** The port for instances that are registered together: they ask once which target groups there are. */
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
