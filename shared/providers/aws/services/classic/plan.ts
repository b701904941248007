import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../../../plan/services/service.ts';
import type { ObservedSecurityGroup } from '../../network/security-groups/model.ts';
import { type ClusterName, missingTags } from '../../tags.ts';
import { isOfService } from '../service-tags.ts';
import { type ServicePlaces, serviceSubnets } from '../subnets.ts';
import { takenByOthers, takenElsewhere } from '../taken.ts';
import { groupsOf, planOwnGroup } from './groups.ts';
import type { ClassicAction, ClassicListener, DesiredClassic, ObservedClassic } from './model.ts';
import { policyActions } from './policies.ts';

/** The existing parts of a Service's classic load balancer. */
export interface ClassicSight {
  readonly classic?: ObservedClassic;
  /** The security group with the name of the load balancer's own group. */
  readonly ownGroup?: ObservedSecurityGroup;
}

const without = <T>(these: readonly T[], those: readonly T[]): T[] => these.filter((one) => !those.includes(one));

/** AWS may return an ARN with different capitalization. */
const isSameListener = (a: ClassicListener, b: ClassicListener): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  a.instancePort === b.instancePort &&
  a.instanceProtocol === b.instanceProtocol &&
  a.certificateArn?.toLowerCase() === b.certificateArn?.toLowerCase();

const listenersThatStay = ({ listeners }: DesiredClassic, observed: ObservedClassic): ClassicListener[] =>
  listeners.filter((listener) => observed.listeners.some((one) => isSameListener(one, listener)));

/** A listener cannot be changed; it is deleted and created again. */
const listenerActions = (desired: DesiredClassic, { name, listeners }: ObservedClassic): ClassicAction[] => {
  const gone = listeners.filter((one) => !desired.listeners.some((wanted) => isSameListener(wanted, one)));
  const missing = desired.listeners.filter((wanted) => !listeners.some((one) => isSameListener(wanted, one)));
  const ports = gone.map(({ port }) => port);
  return [
    ...(ports.length > 0 ? [{ type: 'DeleteClassicListeners', name, ports } as const] : []),
    ...(missing.length > 0 ? [{ type: 'CreateClassicListeners', name, listeners: missing } as const] : []),
  ];
};

/**
 * A load balancer has at least one subnet, and at most one per zone. So subnets in new zones are attached first, and
 * those that replace another one last. AWS refuses to replace the only subnet with one in the same zone.
 */
const subnetActions = (
  { name, subnetIds }: ObservedClassic,
  wanted: readonly string[],
  { subnets }: Pick<ServicePlaces, 'subnets'>,
): ClassicAction[] => {
  const zoneOf = (id: string) => subnets.find((subnet) => subnet.id === id)?.zone;
  const taken = subnetIds.map(zoneOf);
  const missing = without(wanted, subnetIds);
  const surplus = without(subnetIds, wanted);
  const first = missing.filter((id) => !taken.includes(zoneOf(id)));
  const last = without(missing, first);
  return [
    ...(first.length > 0 ? [{ type: 'AttachSubnets', name, subnetIds: first } as const] : []),
    ...(surplus.length > 0 ? [{ type: 'DetachSubnets', name, subnetIds: surplus } as const] : []),
    ...(last.length > 0 ? [{ type: 'AttachSubnets', name, subnetIds: last } as const] : []),
  ];
};

const groupActions = ({ name, groupIds }: ObservedClassic, wanted: readonly string[]): ClassicAction[] => {
  const isSame = without(wanted, groupIds).length === 0 && without(groupIds, wanted).length === 0;
  return isSame ? [] : [{ type: 'SetClassicGroups', name, groupIds: wanted }];
};

const settingActions = (desired: DesiredClassic, observed: ObservedClassic): ClassicAction[] => {
  const { name } = observed;
  const { attributes, check } = desired;
  const tags = missingTags(desired.additionalTags, observed.tags);
  return [
    ...(Object.keys(tags).length > 0 ? [{ type: 'AddClassicTags', name, tags } as const] : []),
    ...(isDeepStrictEqual(attributes, observed.attributes)
      ? []
      : [{ type: 'SetClassicAttributes', name, attributes } as const]),
    ...(isDeepStrictEqual(check, observed.check) ? [] : [{ type: 'SetClassicCheck', name, check } as const]),
  ];
};

const instanceActions = (wanted: readonly string[], { name, instanceIds }: ObservedClassic): ClassicAction[] => {
  const missing = without(wanted, instanceIds);
  const surplus = without(instanceIds, wanted);
  return [
    ...(missing.length > 0 ? [{ type: 'RegisterInstances', name, instanceIds: missing } as const] : []),
    ...(surplus.length > 0 ? [{ type: 'DeregisterInstances', name, instanceIds: surplus } as const] : []),
  ];
};

const checkOwner = (
  cluster: ClusterName,
  { service, name }: DesiredClassic,
  { classic }: ClassicSight,
  vpcId: string,
): void => {
  if (!classic) return;
  if (!isOfService(cluster, service, classic.tags)) throw takenByOthers(`load balancer ${name}`);
  if (classic.vpcId !== vpcId) throw takenElsewhere(`load balancer ${name}`, classic.vpcId, vpcId);
};

/**
 * The next changes of a Service's classic load balancer; none if it is as desired. As in upstream (ensureLoadBalancer),
 * its scheme, and tags other than those of the annotation, are not changed. Rules in the groups of the nodes are not
 * included. Throws ServiceProblem.
 */
export const planClassic = (
  cluster: ClusterName,
  desired: DesiredClassic,
  seen: ClassicSight,
  places: ServicePlaces,
): ClassicAction[] => {
  checkOwner(cluster, desired, seen, places.vpcId);
  const { classic, ownGroup } = seen;
  const { name, isInternal, listeners, tags } = desired;
  const ofGroup = planOwnGroup(cluster, desired, ownGroup, places.vpcId);
  const groupIds = groupsOf(desired, ownGroup);
  // The load balancer is created when its group exists.
  if (groupIds.length === 0) return ofGroup;
  const subnetIds = serviceSubnets(cluster, desired, places).map(({ subnetId }) => subnetId);
  if (!classic) {
    return [...ofGroup, { type: 'CreateClassic', name, isInternal, subnetIds, groupIds, listeners, tags }];
  }
  return [
    // Done first, because AWS may refuse any of the settings.
    ...instanceActions(desired.instanceIds, classic),
    ...ofGroup,
    ...subnetActions(classic, subnetIds, places),
    ...groupActions(classic, groupIds),
    ...listenerActions(desired, classic),
    ...policyActions(desired, classic, listenersThatStay(desired, classic)),
    ...settingActions(desired, classic),
  ];
};

/** Lets an existing load balancer follow the nodes if nothing else about its Service can be planned. */
export const planInstances = (
  cluster: ClusterName,
  service: Service,
  instanceIds: readonly string[],
  { classic }: ClassicSight,
  vpcId: string,
): ClassicAction[] =>
  classic && isOfService(cluster, service, classic.tags) && classic.vpcId === vpcId
    ? instanceActions(instanceIds, classic)
    : [];

/**
 * What can be deleted now for a Service in the cluster's VPC. Its group can only be deleted when no rule refers to it
 * any more.
 */
export const planClassicRemoval = (
  cluster: ClusterName,
  service: Service,
  { classic }: ClassicSight,
  vpcId: string,
): ClassicAction[] =>
  classic && isOfService(cluster, service, classic.tags) && classic.vpcId === vpcId
    ? [{ type: 'DeleteClassic', name: classic.name }]
    : [];
