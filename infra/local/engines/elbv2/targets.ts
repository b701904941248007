import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { lifeOf } from '../ec2/instances/view.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import type { Target, TargetGroup } from './records.ts';
import { type DataPath, type Elb, getTargetGroup } from './state.ts';
import { liveTargets, standingOf } from './target-health.ts';

const keyOf = (id: string, port: number): string => `${id}:${port}`;

const named = (group: TargetGroup, { Id = '', Port }: sdk.TargetDescription) => ({ id: Id, port: Port ?? group.port });

/** Whether an instance has the address by which IPv6 target groups reach it. */
const hasPrimaryIpv6 = (elb: Elb, instanceId: string): boolean =>
  elb.ec2.networkInterfaces.all().some((one) => one.instanceId === instanceId && one.isPrimaryIpv6);

const checkInstances = (elb: Elb, group: TargetGroup, ids: readonly string[]): void => {
  const quoted = (some: readonly string[]) => some.map((id) => `'${id}'`).join(', ');
  const unknown = ids.filter((id) => elb.ec2.instances.find(id)?.vpcId !== group.vpcId);
  if (unknown.length > 0)
    throw new AwsFault(
      'InvalidTarget',
      `The following targets are not in the target group VPC '${group.vpcId}': ${quoted(unknown)}`,
    );
  const unreachable = ids.filter((id) => group.ipAddressType === 'ipv6' && !hasPrimaryIpv6(elb, id));
  if (unreachable.length > 0)
    throw new AwsFault('InvalidTarget', `The following targets have no primary IPv6 address: ${quoted(unreachable)}`);
  const idle = ids.filter((id) => {
    const instance = elb.ec2.instances.find(id);
    return !instance || lifeOf(elb.ec2, instance) !== 'running';
  });
  if (idle.length > 0)
    throw new AwsFault(
      'InvalidTarget',
      `The following targets are not in a running state and cannot be registered: ${quoted(idle)}`,
    );
};

/** Registers instances as targets. Throws ELB's fault if one cannot be a target. */
export const register = (elb: Elb, group: TargetGroup, targets: readonly sdk.TargetDescription[]): void => {
  const wanted = targets.map((target) => named(group, target));
  checkInstances(
    elb,
    group,
    wanted.map(({ id }) => id),
  );
  const live = new Map(liveTargets(elb, group).map((target) => [keyOf(target.instanceId, target.port), target]));
  for (const { id, port } of wanted) {
    const before = live.get(keyOf(id, port));
    if (before && before.drainedAt === undefined) continue;
    group.targets.set(keyOf(id, port), {
      instanceId: id,
      port,
      registeredAt: elb.now(),
      health: 'initial',
      streak: { passed: false, count: 0 },
      drainedAt: undefined,
    });
  }
};

/** Begins to drain targets; a target that is not registered is no error. */
export const deregister = (elb: Elb, group: TargetGroup, targets: readonly sdk.TargetDescription[]): void => {
  const delaySeconds = Number(group.attributes.get('deregistration_delay.timeout_seconds') ?? 300);
  const drainedAt = elb.now() + delaySeconds * 1000 * elb.settings.elbTimeScale;
  for (const description of targets) {
    const { id, port } = named(group, description);
    // A target without a port means all its registrations; one that is not registered is no error.
    for (const target of group.targets.values())
      if (target.instanceId === id && (description.Port === undefined || target.port === port))
        target.drainedAt ??= drainedAt;
  }
};

const describeHealth = (elb: Elb, dataPath: DataPath, input: sdk.DescribeTargetHealthInput) => {
  const group = getTargetGroup(elb, input.TargetGroupArn);
  const live = liveTargets(elb, group);
  const view = (target: Target): sdk.TargetHealthDescription => ({
    Target: { Id: target.instanceId, Port: target.port },
    HealthCheckPort: group.healthCheck.port === 'traffic-port' ? String(target.port) : group.healthCheck.port,
    TargetHealth: standingOf(elb, dataPath, group, target),
  });
  const unregistered = ({ id, port }: { id: string; port: number }): sdk.TargetHealthDescription => ({
    Target: { Id: id, Port: port },
    TargetHealth: {
      State: 'unused',
      Reason: 'Target.NotRegistered',
      Description: 'Target is not registered to the target group',
    },
  });
  if (!input.Targets?.length) return live.map(view);
  return input.Targets.map((target) => named(group, target)).map(({ id, port }) => {
    const found = live.find((target) => target.instanceId === id && target.port === port);
    return found ? view(found) : unregistered({ id, port });
  });
};

/** The instances in target groups, and their health. */
export const targetActions = (elb: Elb, dataPath: DataPath): Handlers<typeof sdk> => ({
  RegisterTargets: ({ TargetGroupArn, Targets = [] }) => {
    register(elb, getTargetGroup(elb, TargetGroupArn), Targets);
    return {};
  },
  DeregisterTargets: ({ TargetGroupArn, Targets = [] }) => {
    deregister(elb, getTargetGroup(elb, TargetGroupArn), Targets);
    return {};
  },
  DescribeTargetHealth: (input) => ({ TargetHealthDescriptions: describeHealth(elb, dataPath, input) }),
});
