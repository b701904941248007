/** The instances of groups behind load balancers. */
import { addInstances, removeInstances } from '../elb/forwarding.ts';
import { liveTargets, standingOf } from '../elbv2/target-health.ts';
import { deregister, register } from '../elbv2/targets.ts';
import type { Group } from './records.ts';
import type { AutoScaling } from './state.ts';

const groupsOf = (as: AutoScaling, arns: readonly string[]) =>
  arns.flatMap((arn) => as.neighbours.elb.targetGroups.get(arn) ?? []);

const balancersOf = (as: AutoScaling, names: readonly string[]) =>
  names.flatMap((name) => as.neighbours.classicElb.loadBalancers.get(name) ?? []);

/** The sources of traffic for a group's instances, or a part of them. */
export type Traffic = Pick<Group, 'targetGroupArns' | 'loadBalancerNames'>;

/** Registers a running instance everywhere. Throws the load balancer's fault. Missing load balancers are left out. */
export const admitTraffic = (as: AutoScaling, traffic: Traffic, instanceId: string): void => {
  const { elb, classicElb } = as.neighbours;
  for (const group of groupsOf(as, traffic.targetGroupArns)) register(elb, group, [{ Id: instanceId }]);
  for (const one of balancersOf(as, traffic.loadBalancerNames)) addInstances(classicElb, one, [instanceId]);
};

/** Removes an instance from all load balancers; open connections may end by themselves. */
export const endTraffic = (as: AutoScaling, traffic: Traffic, instanceId: string): void => {
  const { elb, classicElb } = as.neighbours;
  for (const group of groupsOf(as, traffic.targetGroupArns)) deregister(elb, group, [{ Id: instanceId }]);
  for (const one of balancersOf(as, traffic.loadBalancerNames)) removeInstances(classicElb, one, [instanceId]);
};

/** Whether a target group still drains the connections of an instance. */
export const isDraining = (as: AutoScaling, traffic: Traffic, instanceId: string): boolean =>
  groupsOf(as, traffic.targetGroupArns).some((group) =>
    liveTargets(as.neighbours.elb, group).some((target) => target.instanceId === instanceId),
  );

/** Whether a load balancer's health checks find an instance unhealthy. */
export const isUnhealthy = (as: AutoScaling, traffic: Traffic, instanceId: string): boolean => {
  const dataPath = as.neighbours.dataPath();
  if (!dataPath) return false;
  const { elb } = as.neighbours;
  return groupsOf(as, traffic.targetGroupArns).some((group) =>
    liveTargets(elb, group)
      .filter((target) => target.instanceId === instanceId)
      .some((target) => standingOf(elb, dataPath, group, target).State === 'unhealthy'),
  );
};

/** Whether an instance gets traffic: from a target group in which it is healthy, or from a classic load balancer. */
export const isServing = (as: AutoScaling, traffic: Traffic, instanceId: string): boolean => {
  const dataPath = as.neighbours.dataPath();
  const { elb } = as.neighbours;
  const isTarget = groupsOf(as, traffic.targetGroupArns).some((group) =>
    liveTargets(elb, group)
      .filter((target) => target.instanceId === instanceId)
      .some((target) => dataPath !== undefined && standingOf(elb, dataPath, group, target).State === 'healthy'),
  );
  return isTarget || balancersOf(as, traffic.loadBalancerNames).some(({ instances }) => instances.has(instanceId));
};
