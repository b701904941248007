import type { Service } from '../../../../plan/services/service.ts';
import type { IngressPermission, ObservedSecurityGroup } from '../../network/security-groups/model.ts';
import { permissionsBeyond } from '../../network/security-groups/permissions.ts';
import { type ClusterName, cloudProviderTag, namesAnother, ROLE_TAG } from '../../tags.ts';
import { AccountProblem, ServiceProblem } from '../annotations.ts';
import { serviceBalancerName } from '../names.ts';
import { isOfService } from '../service-tags.ts';
import { takenByOthers } from '../taken.ts';
import type { ClassicAction, DesiredClassic } from './model.ts';

/** The security groups of classic load balancers: a group of its own, or those that the Service names. */

/** The name of the group for only this Service's load balancer, in upstream's form. */
export const ownGroupName = (service: Pick<Service, 'uid'>): string => `k8s-elb-${serviceBalancerName(service)}`;

/** Informs senders that their packets are too large: ICMP type 3, code 4. */
const FRAGMENTATION_NEEDED = { protocol: 'icmp', fromPort: 3, toPort: 4 } as const;

/** The exact rules of its own group: from the source ranges to its ports. */
const rulesOf = ({ listeners, sourceRanges }: DesiredClassic): IngressPermission[] =>
  sourceRanges.flatMap((source) => [
    ...listeners.map(({ port }) => ({ protocol: 'tcp', fromPort: port, toPort: port, source })),
    { ...FRAGMENTATION_NEEDED, source },
  ]);

/** Adds the missing rules of the load balancer's own group, and then removes surplus ones. */
const ruleActions = (desired: DesiredClassic, { id: groupId, ingress }: ObservedSecurityGroup): ClassicAction[] => {
  const wanted = rulesOf(desired);
  const missing = permissionsBeyond(wanted, ingress);
  const surplus = permissionsBeyond(ingress, wanted);
  return [
    ...(missing.length > 0
      ? [{ type: 'OpenClassicGroup', groupId, permissions: missing, tags: desired.tags } as const]
      : []),
    ...(surplus.length > 0 ? [{ type: 'CloseClassicGroup', groupId, permissions: surplus } as const] : []),
  ];
};

/**
 * The changes of the load balancer's own group; none if the Service names groups. Throws ServiceProblem.
 */
export const planOwnGroup = (
  cluster: ClusterName,
  desired: DesiredClassic,
  own: ObservedSecurityGroup | undefined,
  vpcId: string,
): ClassicAction[] => {
  const { service, name, tags, groupIds } = desired;
  if (groupIds) return [];
  if (own && !isOfService(cluster, service, own.tags)) {
    throw takenByOthers(`security group ${own.name}`);
  }
  if (own) return ruleActions(desired, own);
  const description = `Security group for Kubernetes ELB ${name} (${service.namespace}/${service.name})`;
  return [{ type: 'CreateClassicGroup', name: ownGroupName(service), description, vpcId, tags }];
};

/** The groups of the load balancer; empty if it has none yet. The nodes accept traffic from the first one. */
export const groupsOf = (
  { groupIds, extraGroupIds }: Pick<DesiredClassic, 'groupIds' | 'extraGroupIds'>,
  own: ObservedSecurityGroup | undefined,
): string[] => {
  const first = groupIds ?? (own ? [own.id] : []);
  return first.length > 0 ? [...new Set([...first, ...extraGroupIds])] : [];
};

/**
 * Throws ServiceProblem for a group that a Service may not use. The group must be in the cluster's VPC, and the
 * account's owner must have assigned it to the cluster with the cloud provider's tag, because a name in a Service is no
 * proof. Groups that Windlass has created would open the nodes to each other.
 */
export const checkNamedGroups = (
  cluster: ClusterName,
  ids: readonly string[],
  found: readonly ObservedSecurityGroup[],
): void => {
  const tag = cloudProviderTag(cluster.name);
  for (const id of ids) {
    const group = found.find((one) => one.id === id);
    if (!group) throw new AccountProblem(`security group ${id}: the cluster's VPC has no such group`);
    if (ROLE_TAG in group.tags || namesAnother(cluster, group.tags)) {
      throw new ServiceProblem(`security group ${id} is part of a cluster itself; name another one`);
    }
    if (!(tag in group.tags)) {
      throw new AccountProblem(`security group ${id} must have the tag ${tag}, for instance with the value shared`);
    }
  }
};
