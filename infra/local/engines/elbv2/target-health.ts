/** The state of a target, derived from its registration, its load balancer, its instance and its health checks. */
import type { TargetHealth } from '@aws-sdk/client-elastic-load-balancing-v2';
import { lifeOf } from '../ec2/instances/view.ts';
import { stateAt } from '../ec2/timeline.ts';
import type { HealthCheck, Target, TargetGroup } from './records.ts';
import { type DataPath, type Elb, loadBalancersOf } from './state.ts';

/** The registered targets of a group; drained ones are removed. */
export const liveTargets = (elb: Elb, group: TargetGroup): Target[] => {
  for (const [key, { drainedAt }] of group.targets)
    if (drainedAt !== undefined && drainedAt <= elb.now()) group.targets.delete(key);
  return [...group.targets.values()];
};

/**
 * The target after one health check: its health changes when the number of consecutive equal results reaches the
 * threshold.
 */
export const afterCheck = (
  target: Pick<Target, 'health' | 'streak'>,
  passed: boolean,
  check: HealthCheck,
): Pick<Target, 'health' | 'streak'> => {
  const count = target.streak.passed === passed ? target.streak.count + 1 : 1;
  const threshold = passed ? check.healthyThreshold : check.unhealthyThreshold;
  const turned = passed ? 'healthy' : 'unhealthy';
  return { health: count >= threshold ? turned : target.health, streak: { passed, count } };
};

/**
 * Without sockets there are no checks: a target on the data plane is healthy, and one that is missing for longer than
 * the threshold is not.
 */
const healthWithoutProbes = (elb: Elb, dataPath: DataPath, group: TargetGroup, target: Target): Target['health'] => {
  if (dataPath.dataPlane.endpointOf(target.instanceId, target.port)) return 'healthy';
  const { intervalSeconds, unhealthyThreshold } = group.healthCheck;
  const patience = intervalSeconds * unhealthyThreshold * 1000 * elb.settings.elbTimeScale;
  return elb.now() - target.registeredAt < patience ? 'initial' : 'unhealthy';
};

/** Whether the load balancer does not send to the target yet, even if it is healthy. */
const isYoung = (elb: Elb, { registeredAt, drainedAt }: Target): boolean =>
  drainedAt === undefined && elb.now() - registeredAt < elb.settings.targetServingMilliseconds;

const HEALTHS: Readonly<Record<Target['health'], TargetHealth>> = {
  initial: { State: 'initial', Reason: 'Elb.InitialHealthChecking', Description: 'Initial health checks in progress' },
  healthy: { State: 'healthy' },
  unhealthy: { State: 'unhealthy', Reason: 'Target.FailedHealthChecks', Description: 'Health checks failed' },
};

const isAnyActive = (elb: Elb, arns: readonly string[]): boolean =>
  arns.some((arn) => {
    const loadBalancer = elb.loadBalancers.get(arn);
    return loadBalancer !== undefined && stateAt(loadBalancer.timeline, elb.now()) === 'active';
  });

/** A target's health in the form of DescribeTargetHealth. */
export const standingOf = (elb: Elb, dataPath: DataPath, group: TargetGroup, target: Target): TargetHealth => {
  if (target.drainedAt !== undefined)
    return {
      State: 'draining',
      Reason: 'Target.DeregistrationInProgress',
      Description: 'Target deregistration is in progress',
    };
  const instance = elb.ec2.instances.find(target.instanceId);
  const life = instance ? lifeOf(elb.ec2, instance) : 'terminated';
  if (life !== 'running')
    return { State: 'unused', Reason: 'Target.InvalidState', Description: `Target is in the ${life} state` };
  const arns = loadBalancersOf(elb, group.arn);
  if (arns.length === 0)
    return {
      State: 'unused',
      Reason: 'Target.NotInUse',
      Description: 'Target group is not configured to receive traffic from the load balancer',
    };
  if (!isAnyActive(elb, arns) || isYoung(elb, target))
    return {
      State: 'initial',
      Reason: 'Elb.RegistrationInProgress',
      Description: 'Target registration is in progress',
    };
  return HEALTHS[dataPath.probes ? target.health : healthWithoutProbes(elb, dataPath, group, target)];
};

/**
 * The targets for a new connection: the healthy ones, or all reachable ones if none is healthy, because a network load
 * balancer fails open.
 */
export const routableTargets = (elb: Elb, dataPath: DataPath, group: TargetGroup): Target[] => {
  const served = liveTargets(elb, group).filter((target) => !isYoung(elb, target));
  const standing = served.map((target) => ({
    target,
    state: standingOf(elb, dataPath, group, target).State,
  }));
  const healthy = standing.filter(({ state }) => state === 'healthy');
  const possible = standing.filter(({ state }) => state === 'initial' || state === 'unhealthy');
  return (healthy.length > 0 ? healthy : possible).map(({ target }) => target);
};
