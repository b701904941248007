/** Changes by users and others to the load balancers of the cluster's API servers. */
import {
  DeleteListenerCommand,
  DeregisterTargetsCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Account } from '../../../../infra/local/account.ts';
import type { AWSCluster, Machine } from '../../../../shared/kinds/index.ts';
import { isControlPlane } from '../machine-order.ts';
import { isOfServices } from '../stories/balancers.ts';
import { FURTHER, SECOND } from '../stories/flatcar.ts';
import type { Change, Listeners, Place } from './change.ts';
import { infrastructureOf } from './foundation.ts';

const balancersOf = (account: Account) =>
  [...account.elbv2().loadBalancers].filter(([, one]) => !isOfServices(one)).map(([arn, one]) => ({ ...one, arn }));

const listenersOf = (account: Account) => {
  const arns = balancersOf(account).map(({ arn }) => arn);
  return [...account.elbv2().listeners].flatMap(([arn, one]) =>
    arns.includes(one.loadBalancerArn) ? [{ ...one, arn }] : [],
  );
};

const groupsOf = (account: Account) =>
  listenersOf(account).flatMap(({ targetGroupArn: arn }) => {
    const group = account.elbv2().targetGroups.get(arn);
    return group === undefined ? [] : [{ ...group, arn }];
  });

/** The load balancers with their settings and listeners, which Windlass restores when others have changed them. */
export const endpointOf = (account: Account): string =>
  [
    ...balancersOf(account).map(({ scheme, attributes }) => `${scheme} ${JSON.stringify([...attributes].sort())}`),
    ...listenersOf(account).map(({ port, protocol }) => `${protocol} ${port}`),
    ...groupsOf(account).map(
      ({ attributes, healthCheck }) => `${JSON.stringify([...attributes].sort())} ${JSON.stringify(healthCheck)}`,
    ),
  ]
    .sort()
    .join(', ');

/** The control plane machines that are missing in a target group, and other targets in it. */
export const unmetByEndpoint = (account: Account, machines: readonly Machine[]): string[] => {
  const wanted = machines.filter(isControlPlane).map(({ spec }) => spec.providerID?.split('/').at(-1) ?? '');
  return groupsOf(account).flatMap(({ name, targets }) => {
    const found = [...targets.values()].flatMap(({ drainedAt, instanceId }) =>
      drainedAt === undefined ? [instanceId] : [],
    );
    const missing = wanted.filter((id) => !found.includes(id)).map((id) => `${name} does not send to ${id}`);
    return [...missing, ...found.filter((id) => !wanted.includes(id)).map((id) => `${name} still sends to ${id}`)];
  });
};

type Endpoints = Pick<AWSCluster['spec'], 'secondaryControlPlaneLoadBalancer' | 'controlPlaneLoadBalancer'>;

const endpointsOf = async ({ user }: Pick<Place, 'user'>): Promise<{ name: string; spec: Endpoints } | undefined> => {
  const found = await infrastructureOf(user);
  return found && { name: found.metadata.name, spec: found.spec as Endpoints };
};

/** The additional listeners of the API's load balancer; RKE2 clusters have one. */
export const additionalListeners = async (place: Pick<Place, 'user'>): Promise<Listeners> =>
  (await endpointsOf(place))?.spec.controlPlaneLoadBalancer?.additionalListeners ?? [];

const isFurther = ({ port }: { port: number }): boolean => port === FURTHER.port;

const withListeners = (listeners: Listeners) => ({
  controlPlaneLoadBalancer: { additionalListeners: listeners.length > 0 ? listeners : null },
});

/** Restores the state before the first change. */
export const restoreEndpoints = async (place: Pick<Place, 'user' | 'listeners'>): Promise<void> => {
  const { name, spec } = (await endpointsOf(place)) ?? {};
  if (name === undefined) return;
  const { controlPlaneLoadBalancer: first, secondaryControlPlaneLoadBalancer: second } = spec ?? {};
  if (!first?.additionalListeners?.some(isFurther) && !second) return;
  const restored = { ...withListeners(place.listeners), secondaryControlPlaneLoadBalancer: null };
  await place.user.patch('AWSCluster', name, { spec: restored });
};

export const ENDPOINT: Readonly<Record<string, Change>> = {
  toggleSecond: async (place) => {
    const found = await endpointsOf(place);
    if (found === undefined) return undefined;
    const has = found.spec.secondaryControlPlaneLoadBalancer !== undefined;
    await place.user.patch('AWSCluster', found.name, {
      spec: { secondaryControlPlaneLoadBalancer: has ? null : SECOND },
    });
    return `wants ${has ? 'one load balancer' : 'two load balancers'}`;
  },
  toggleListener: async (place) => {
    const found = await endpointsOf(place);
    if (found === undefined) return undefined;
    const has = found.spec.controlPlaneLoadBalancer?.additionalListeners?.some(isFurther) === true;
    const spec = withListeners(has ? place.listeners : [...place.listeners, FURTHER]);
    await place.user.patch('AWSCluster', found.name, { spec });
    return `wants ${has ? 'no' : 'a'} further listener`;
  },
  deleteListener: async ({ elbv2, world }, { one }) => {
    const listener = one(listenersOf(world.account));
    if (listener === undefined) return undefined;
    await elbv2.send(new DeleteListenerCommand({ ListenerArn: listener.arn }));
    return `the listener for port ${listener.port} is deleted`;
  },
  deregister: async ({ elbv2, world }, { one }) => {
    const group = one(groupsOf(world.account));
    const target = one([...(group?.targets.values() ?? [])]);
    if (group === undefined || target === undefined) return undefined;
    const Targets = [{ Id: target.instanceId, Port: target.port }];
    await elbv2.send(new DeregisterTargetsCommand({ TargetGroupArn: group.arn, Targets }));
    return `${target.instanceId} is deregistered from ${group.name}`;
  },
  changeBalancer: async ({ elbv2, world }, { one }) => {
    const balancer = one(balancersOf(world.account));
    if (balancer === undefined) return undefined;
    const Key = 'load_balancing.cross_zone.enabled';
    const Attributes = [{ Key, Value: `${balancer.attributes.get(Key) !== 'true'}` }];
    await elbv2.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn: balancer.arn, Attributes }));
    return `the load balancer ${balancer.name} gets ${Key}=${Attributes[0]?.Value}`;
  },
  changeGroup: async ({ elbv2, world }, { one }) => {
    const group = one(groupsOf(world.account));
    if (group === undefined) return undefined;
    const Attributes = [{ Key: 'preserve_client_ip.enabled', Value: one(['true', 'false']) }];
    await elbv2.send(new ModifyTargetGroupAttributesCommand({ TargetGroupArn: group.arn, Attributes }));
    return `the target group ${group.name} gets ${Attributes[0]?.Key}=${Attributes[0]?.Value}`;
  },
  changeCheck: async ({ elbv2, world }, { one }) => {
    const group = one(groupsOf(world.account));
    if (group === undefined) return undefined;
    const HealthCheckIntervalSeconds = one([10, 30]);
    await elbv2.send(new ModifyTargetGroupCommand({ TargetGroupArn: group.arn, HealthCheckIntervalSeconds }));
    return `the health check of ${group.name} gets an interval of ${HealthCheckIntervalSeconds} s`;
  },
};
