import type { ObservedSecurityGroup } from '../network/security-groups/model.ts';
import { AccountProblem } from './annotations.ts';
import type { NodeInstance } from './instances-api.ts';

/** The maximum number of instances in a text. */
const MOST_NAMED = 3;

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
  const more = outside.length > MOST_NAMED ? ` and ${outside.length - MOST_NAMED} more` : '';
  const names = `${outside.slice(0, MOST_NAMED).join(', ')}${more}`;
  return `instances in ${GROUPS}: ${names}; allow the node ports in other groups, or remove lb from spec.securityGroupOverrides of the AWSMachines`;
};
