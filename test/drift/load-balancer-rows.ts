import {
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DeregisterTargetsCommand,
  DescribeTargetHealthCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { DriftWorld } from './drift-world.ts';
import type { Row } from './row.ts';

const ofAccount = ({ account }: DriftWorld) => {
  const { loadBalancers, listeners, targetGroups } = account.elbv2();
  return {
    loadBalancer: [...loadBalancers.values()][0],
    listener: [...listeners.values()][0],
    group: [...targetGroups.values()][0],
  };
};

const CROSS_ZONE = 'load_balancing.cross_zone.enabled';

const attribute = async (world: DriftWorld) => {
  const { loadBalancer } = ofAccount(world);
  return (await world.elbv2.describeLoadBalancerAttributes(loadBalancer?.arn ?? ''))[CROSS_ZONE];
};

const targets = async (world: DriftWorld) => {
  const TargetGroupArn = ofAccount(world).group?.arn;
  const { TargetHealthDescriptions = [] } = await world.clients.elbv2.send(
    new DescribeTargetHealthCommand({ TargetGroupArn }),
  );
  return TargetHealthDescriptions.filter(({ TargetHealth }) => TargetHealth?.State !== 'draining');
};

const dropListener = (world: DriftWorld) =>
  world.clients.elbv2.send(new DeleteListenerCommand({ ListenerArn: ofAccount(world).listener?.arn }));

/** Changes to load balancers. */
export const LOAD_BALANCER_ROWS: readonly Row[] = [
  {
    kind: 'Target',
    what: 'deregisters a control plane instance',
    step: 'loadBalancer',
    change: async (world) => {
      const TargetGroupArn = ofAccount(world).group?.arn;
      const Targets = [{ Id: world.controlPlane, Port: 6443 }];
      await world.clients.elbv2.send(new DeregisterTargetsCommand({ TargetGroupArn, Targets }));
    },
    isThere: async (world) => !(await targets(world)).some(({ Target }) => Target?.Id === world.controlPlane),
  },
  {
    kind: 'LoadBalancer',
    what: 'changes an attribute of the load balancer',
    step: 'loadBalancer',
    change: async (world) =>
      world.clients.elbv2.send(
        new ModifyLoadBalancerAttributesCommand({
          LoadBalancerArn: ofAccount(world).loadBalancer?.arn,
          Attributes: [{ Key: CROSS_ZONE, Value: 'true' }],
        }),
      ),
    isThere: async (world) => (await attribute(world)) === 'true',
  },
  {
    kind: 'TargetGroup',
    what: 'changes the health check of a target group',
    step: 'loadBalancer',
    change: (world) =>
      world.clients.elbv2.send(
        new ModifyTargetGroupCommand({ TargetGroupArn: ofAccount(world).group?.arn, HealthCheckIntervalSeconds: 30 }),
      ),
    isThere: async (world) =>
      (await world.elbv2.describeTargetGroup(ofAccount(world).group?.name ?? ''))?.healthCheck.intervalSeconds === 30,
  },
  {
    kind: 'Listener',
    what: 'deletes a listener',
    step: 'loadBalancer',
    change: dropListener,
    isThere: async (world) => ofAccount(world).listener === undefined,
  },
  {
    kind: 'TargetGroup',
    what: 'deletes a target group, and the listener before it',
    step: 'loadBalancer',
    change: async (world) => {
      await dropListener(world);
      await world.clients.elbv2.send(new DeleteTargetGroupCommand({ TargetGroupArn: ofAccount(world).group?.arn }));
    },
    isThere: async (world) => ofAccount(world).group === undefined,
  },
  {
    kind: 'LoadBalancer',
    what: "deletes the load balancer behind a name of the user's (spec.controlPlaneEndpoint)",
    step: 'loadBalancer',
    change: (world) =>
      world.clients.elbv2.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: ofAccount(world).loadBalancer?.arn })),
    isThere: async (world) => ofAccount(world).loadBalancer === undefined,
  },
];
