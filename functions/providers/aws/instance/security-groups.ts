import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import type { AWSCluster, AWSMachine, Machine } from '../../../../shared/kinds/index.ts';
import { groupExcess } from '../../../../shared/kinds/rules/aws/machine-limits.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { isExternallyManaged } from '../../../../shared/plan/status/managed-by.ts';
import type { DecisionDependencies } from './dependencies.ts';

interface Objects {
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
  /** Whether `infrastructure` is the launch template of a pool. */
  isPool?: boolean;
}

/** The security groups for a machine's role: the cluster's group, or the one that the machine specifies instead. */
const coreGroupIds = ({ machine, infrastructure, awsCluster, isPool = false }: Objects): string[] => {
  const isExternal = isExternallyManaged(awsCluster);
  // As upstream does: in such a cluster, machines have only the groups that they name themselves, while pools have all
  // groups.
  if (isExternal && !isPool) return Object.values(infrastructure.spec.securityGroupOverrides ?? {});
  const groups = awsCluster.status?.networkStatus?.securityGroups ?? {};
  const roles = ['node', 'lb', ...(isControlPlaneMachine(machine) ? ['controlplane'] : [])];
  const overrides: Readonly<Record<string, string>> = infrastructure.spec.securityGroupOverrides ?? {};
  return roles.map((role) => {
    const id = overrides[role] ?? groups[role as keyof typeof groups]?.id;
    if (id) return id;
    const why = isExternal ? ' in status.networkStatus.securityGroups, which the system that manages it sets' : ' yet';
    throw new MissingReferenceError(
      `AWSCluster ${awsCluster.metadata.name} has no security group of role ${role}${why}`,
    );
  });
};

/**
 * The groups that the machine itself names, by id or by filters. A filter without a match is an error. So are more
 * items than are admitted today, because each filter is a call.
 */
const additionalGroupIds = async (
  { ec2 }: Pick<DecisionDependencies, 'ec2'>,
  { spec }: AWSMachine,
): Promise<string[]> => {
  const excess = groupExcess(spec.additionalSecurityGroups);
  if (excess) throw new RefusedError(`spec.additionalSecurityGroups: ${excess}`);
  const named = await Promise.all(
    (spec.additionalSecurityGroups ?? []).map(async ({ id, filters = [] }, index) => {
      if (id) return [id];
      const found = filters.length > 0 ? await ec2.securityGroups(filters) : [];
      if (found.length > 0) return found;
      throw new MissingReferenceError(`spec.additionalSecurityGroups[${index}].filters: no security group matches`);
    }),
  );
  return named.flat();
};

/** All security groups of a machine's interfaces. */
export const securityGroupIds = async (
  deps: Pick<DecisionDependencies, 'ec2'>,
  objects: Objects,
): Promise<string[]> => [
  ...new Set([...coreGroupIds(objects), ...(await additionalGroupIds(deps, objects.infrastructure))]),
];
