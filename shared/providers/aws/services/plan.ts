import type { ClusterName, Tags } from '../tags.ts';
import type { ServiceHealthCheck } from './health-check.ts';
import type {
  DesiredListener,
  DesiredService,
  ObservedGroup,
  ObservedService,
  ObservedServiceListener,
  ServiceAction,
  Target,
} from './model.ts';
import { isOfService } from './service-tags.ts';
import { type ServicePlaces, serviceSubnets } from './subnets.ts';
import { takenByOthers, takenElsewhere } from './taken.ts';

type Attributes = Readonly<Record<string, string>>;

const differing = (desired: Attributes, observed: Attributes): Attributes =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => observed[key] !== value));

const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

const isSameCheck = (a: ServiceHealthCheck, b: ServiceHealthCheck): boolean =>
  a.port === b.port &&
  a.path === b.path &&
  a.healthyThreshold === b.healthyThreshold &&
  a.unhealthyThreshold === b.unhealthyThreshold;

const targetActions = (
  arn: string,
  port: number,
  ids: readonly string[],
  targets: readonly Target[],
): ServiceAction[] => {
  const isWanted = (target: Target) => target.port === port && ids.includes(target.instanceId);
  const isThere = (instanceId: string) => targets.some((one) => one.instanceId === instanceId && one.port === port);
  const gone = targets.filter((target) => !isWanted(target));
  const missing = ids.filter((id) => !isThere(id)).map((instanceId) => ({ instanceId, port }));
  // Done first, so that a load balancer with the maximum number of targets can replace one.
  if (gone.length > 0) return [{ type: 'DeregisterTargets', arn, targets: gone } as const];
  return missing.length > 0 ? [{ type: 'RegisterTargets', arn, targets: missing } as const] : [];
};

/**
 * What a target group with the tags of the Service in another VPC requires. It cannot be used: AWS requires it to be in
 * the VPC of the load balancer. One that nothing uses is the rest of a former cluster.
 */
const clearName = ({ arn, name, balancers, targets, vpcId }: ObservedGroup, clusterVpcId: string): ServiceAction[] => {
  if (balancers.length === 0 && targets.length === 0) return [{ type: 'DeleteGroup', arn }];
  throw takenElsewhere(`target group ${name}`, vpcId, clusterVpcId);
};

const groupActions = (
  cluster: ClusterName,
  { service, tags, groupAttributes, instanceIds }: DesiredService,
  { group }: DesiredListener,
  found: ObservedGroup | undefined,
  vpcId: string,
): ServiceAction[] => {
  if (!found) return [{ type: 'CreateGroup', group, vpcId, tags }];
  if (!isOfService(cluster, service, found.tags)) throw takenByOthers(`target group ${group.name}`);
  if (found.vpcId !== vpcId) return clearName(found, vpcId);
  const { arn } = found;
  const attributes = differing(groupAttributes, found.attributes);
  return [
    ...(isSameCheck(group.check, found.check) ? [] : [{ type: 'SetGroupCheck', arn, check: group.check } as const]),
    ...(isEmpty(attributes) ? [] : [{ type: 'SetGroupAttributes', arn, attributes } as const]),
    ...targetActions(arn, group.port, instanceIds, found.targets),
  ];
};

const isSameListener = (
  wanted: DesiredListener,
  { protocol, groupArn, certificateArn, sslPolicy }: ObservedServiceListener,
  wantedGroup: string,
): boolean =>
  protocol === wanted.protocol &&
  groupArn === wantedGroup &&
  certificateArn === wanted.certificateArn &&
  (!wanted.sslPolicy || sslPolicy === wanted.sslPolicy);

const isOfTargets = ({ type }: ServiceAction): boolean => type === 'RegisterTargets' || type === 'DeregisterTargets';

/** Targets come first, because AWS may refuse any of the settings. */
const targetsFirst = (actions: readonly ServiceAction[]): ServiceAction[] => [
  ...actions.filter(isOfTargets),
  ...actions.filter((action) => !isOfTargets(action)),
];

const listenerActions = (balancerArn: string, desired: DesiredService, observed: ObservedService): ServiceAction[] => {
  const wanted = desired.listeners.flatMap((listener): ServiceAction[] => {
    // A group that does not exist yet is created in this round, and its listener in the next.
    const groupArn = observed.groups.find(({ name }) => name === listener.group.name)?.arn;
    const found = observed.listeners.find(({ port }) => port === listener.port);
    if (groupArn === undefined || (found && isSameListener(listener, found, groupArn))) return [];
    return found
      ? [{ type: 'ModifyListener', arn: found.arn, listener, groupArn }]
      : [{ type: 'CreateListener', balancerArn, listener, groupArn, tags: desired.tags }];
  });
  const gone = observed.listeners.filter(({ port }) => !desired.listeners.some((listener) => listener.port === port));
  return [...wanted, ...gone.map(({ arn }) => ({ type: 'DeleteListener', arn }) as const)];
};

/** Target groups of the Service that no listener needs and to which none forwards any more. */
const staleGroups = (
  cluster: ClusterName,
  { service, listeners }: DesiredService,
  { groups }: ObservedService,
): ServiceAction[] =>
  groups
    .filter(({ tags, balancers }) => isOfService(cluster, service, tags) && balancers.length === 0)
    .filter(({ name }) => !listeners.some(({ group }) => group.name === name))
    .map(({ arn }) => ({ type: 'DeleteGroup', arn }));

const checkBalancer = (
  cluster: ClusterName,
  { service, name }: DesiredService,
  { balancer }: ObservedService,
  vpcId: string,
): void => {
  if (!balancer) return;
  if (!isOfService(cluster, service, balancer.tags) || balancer.type !== 'network') {
    throw takenByOthers(`load balancer ${name}`);
  }
  if (balancer.vpcId !== vpcId) throw takenElsewhere(`load balancer ${name}`, balancer.vpcId, vpcId);
};

/**
 * What must be done now for a Service's load balancer; nothing if it is as desired. As in upstream
 * (ensureLoadBalancerv2), subnets, scheme and tags of an existing one are not changed. Throws ServiceProblem.
 */
export const planService = (
  cluster: ClusterName,
  desired: DesiredService,
  observed: ObservedService,
  places: ServicePlaces,
): ServiceAction[] => {
  checkBalancer(cluster, desired, observed, places.vpcId);
  const { balancer, groups } = observed;
  const { name, isInternal, tags } = desired;
  const found = (listener: DesiredListener) => groups.find((group) => group.name === listener.group.name);
  // Two ports may use the same node port.
  const distinct = [...new Map(desired.listeners.map((one) => [one.group.name, one])).values()];
  const ofGroups = targetsFirst(
    distinct.flatMap((one) => groupActions(cluster, desired, one, found(one), places.vpcId)),
  );
  if (!balancer) {
    const subnets = serviceSubnets(cluster, desired, places);
    return [{ type: 'CreateBalancer', name, isInternal, subnets, tags }, ...ofGroups];
  }
  const attributes = differing(desired.attributes, balancer.attributes);
  const inVpc = { ...observed, groups: groups.filter(({ vpcId }) => vpcId === places.vpcId) };
  return [
    ...ofGroups,
    ...listenerActions(balancer.arn, desired, inVpc),
    ...(isEmpty(attributes) ? [] : [{ type: 'SetBalancerAttributes', arn: balancer.arn, attributes } as const]),
    ...staleGroups(cluster, desired, inVpc),
  ];
};

/**
 * Lets the targets of an existing load balancer follow the nodes if nothing else about its Service can be planned, for
 * example because of an invalid annotation.
 */
export const planTargets = (
  cluster: ClusterName,
  service: DesiredService['service'],
  instanceIds: readonly string[],
  { balancer, groups }: ObservedService,
  clusterVpcId: string,
): ServiceAction[] => {
  const isOurs = ({ tags, vpcId }: { tags: Tags; vpcId: string }) =>
    isOfService(cluster, service, tags) && vpcId === clusterVpcId;
  if (!balancer || !isOurs(balancer)) return [];
  return groups
    .filter((group) => isOurs(group) && group.balancers.includes(balancer.arn))
    .flatMap(({ arn, port, targets }) => targetActions(arn, port, instanceIds, targets));
};

/**
 * What can be deleted now for a Service in the cluster's VPC: target groups when the load balancer is gone. Nothing if
 * nothing is left.
 */
export const planServiceRemoval = (
  cluster: ClusterName,
  service: DesiredService['service'],
  { balancer, groups }: ObservedService,
  clusterVpcId: string,
): ServiceAction[] => {
  const isOurs = ({ tags, vpcId }: { tags: Tags; vpcId: string }) =>
    isOfService(cluster, service, tags) && vpcId === clusterVpcId;
  if (balancer && isOurs(balancer)) return [{ type: 'DeleteBalancer', arn: balancer.arn }];
  return groups.filter(isOurs).map(({ arn }) => ({ type: 'DeleteGroup', arn }));
};
