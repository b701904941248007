import type { V1Node } from '@kubernetes/client-node';
import type { Retry } from '../../../plan/duties/retry.ts';
import { isOverdue } from '../../../plan/machines/waiting.ts';
import type { ObservedSecurityGroup } from '../network/security-groups/model.ts';
import { ABSENCE_GRACE_SECONDS } from '../plan/drift/states.ts';
import { instanceIdIn } from '../plan/launch/instance.ts';
import { AccountProblem } from './annotations.ts';
import type { NodeInstance } from './instances-api.ts';

/** The maximum number of instances in a text. */
const MOST_NAMED = 3;

const namesOf = (ids: readonly string[]): string => {
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
  return `${ids.slice(0, MOST_NAMED).join(', ')}${more}`;
};

const GROUPS = 'no security group that Windlass made for load balancers (role lb)';

/**
 * A description of the problems with a load balancer's targets. `groups`: the groups to which rules are written. An
 * instance in none of them may have rules of its owner, and remains a target, as in upstream
 * (updateInstanceSecurityGroupsForNLB). Throws AccountProblem if no instance is in one of them.
 */
export const unreachedTargets = (
  ids: readonly string[],
  instances: ReadonlyMap<string, NodeInstance>,
  groups: readonly Pick<ObservedSecurityGroup, 'id'>[],
): string | undefined => {
  const isInside = (id: string) =>
    instances.get(id)?.groupIds.some((own) => groups.some((group) => group.id === own)) === true;
  const outside = ids.filter((id) => !isInside(id));
  if (outside.length === 0) return undefined;
  if (outside.length === ids.length) {
    throw new AccountProblem(
      `the nodes are in ${GROUPS}, so they cannot be reached; remove lb from spec.network.securityGroupOverrides of the AWSCluster, or from spec.securityGroupOverrides of the AWSMachines`,
    );
  }
  return `instances in ${GROUPS}: ${namesOf(outside)}; allow the node ports in other groups, or remove lb from spec.securityGroupOverrides of the AWSMachines`;
};

/** Instances, by id, that EC2 lists as pending or not at all. */
export type LateInstances = ReadonlyMap<string, 'pending' | 'unlisted'>;

/** A problem with targets that another pass may find solved. */
export interface TargetDelay {
  readonly warning: string;
  readonly retry: Retry;
}

/**
 * The nodes that get no traffic yet, although they have joined the cluster: EC2 shows instances and their states late.
 * The instance of an old node that EC2 does not list is more likely gone.
 */
export const delayedTargets = (
  ids: readonly string[],
  nodes: readonly V1Node[],
  late: LateInstances,
  now: Date,
): TargetDelay | undefined => {
  const delayed = ids.filter((id) => late.has(id));
  if (delayed.length === 0) return undefined;
  const isNew = ({ metadata }: V1Node): boolean =>
    !isOverdue(metadata?.creationTimestamp?.toISOString(), ABSENCE_GRACE_SECONDS, now);
  const fresh = nodes.filter(isNew).map(({ spec }) => instanceIdIn(spec?.providerID ?? ''));
  const isSoon = delayed.some((id) => late.get(id) === 'pending' || fresh.includes(id));
  const warning = `EC2 does not list the instances of nodes as running, so they get no traffic: ${namesOf(delayed)}`;
  return { warning, retry: isSoon ? 'soon' : 'hourly' };
};
