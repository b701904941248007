import { belongsToAnotherNamespace } from '../../plan/ownership/references.ts';
import type { DesiredNetwork, NetworkProblem, ObservedNetwork } from '../model.ts';
import type { VpcChoice } from '../vpc/choose.ts';
import { SECURITY_GROUP_ROLES } from './roles.ts';

/** A user's security groups for roles: they are used unchanged, and never modified, tagged or deleted. */

const problem = (message: string): NetworkProblem => ({ condition: 'ClusterSecurityGroupsReady', message });

/**
 * The errors in spec.network.securityGroupOverrides. As in upstream, overrides are for a user's VPC: a group belongs to
 * a VPC, and a cluster's own VPC does not exist yet when the spec is written.
 */
export const overrideProblem = (
  { cluster, securityGroups, unknownOverrides }: DesiredNetwork,
  observed: ObservedNetwork,
  choice: VpcChoice,
): NetworkProblem | undefined => {
  const field = 'spec.network.securityGroupOverrides';
  const [unknown] = unknownOverrides;
  if (unknown !== undefined) {
    return problem(`${field}.${unknown} is not a role; the roles are ${SECURITY_GROUP_ROLES.join(', ')}`);
  }
  const [first] = securityGroups.filter(({ overrideId }) => overrideId !== undefined);
  if (first === undefined) return undefined;
  if (choice.state !== 'unmanaged') {
    return problem(`${field}.${first.role} names ${first.overrideId}, but spec.network.vpc.id names no VPC of yours`);
  }
  for (const { role, overrideId } of securityGroups) {
    if (overrideId === undefined) continue;
    const found = observed.securityGroups.find(({ id }) => id === overrideId);
    if (!found) return problem(`${field}.${role} names security group ${overrideId}, which does not exist`);
    if (belongsToAnotherNamespace(cluster.namespace, found.tags)) {
      return problem(`${field}.${role} names ${overrideId}, which belongs to a cluster of another namespace`);
    }
    if (found.vpcId !== choice.vpc.id) {
      return problem(
        `${field}.${role} names ${overrideId}, which is in VPC ${found.vpcId} and not in ${choice.vpc.id}`,
      );
    }
  }
  return undefined;
};
