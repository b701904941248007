import { type BalancerRole, balancerSpecOf } from '../../../../shared/providers/aws/load-balancer/roles.ts';
import { referenceProblem } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';

const FIELDS: Readonly<Record<BalancerRole, string>> = {
  primary: 'spec.controlPlaneLoadBalancer.additionalSecurityGroups',
  secondary: 'spec.secondaryControlPlaneLoadBalancer.additionalSecurityGroups',
};

/**
 * The reason why the security groups that the load balancers name cannot be used: one of them belongs to a cluster in
 * another namespace. Undefined if they can be used. Costs one call to EC2 if they name any.
 */
export const foreignGroups = async (
  { ownership }: Pick<LoadBalancerDependencies, 'ownership'>,
  { aws, awsCluster, name }: Pick<LiveScope, 'aws' | 'awsCluster' | 'name'>,
  roles: readonly BalancerRole[],
): Promise<string | undefined> => {
  const references = roles.flatMap((role) =>
    (balancerSpecOf(awsCluster, role)?.additionalSecurityGroups ?? []).map((id) => ({ field: FIELDS[role], id })),
  );
  if (references.length === 0) return undefined;
  const owners = await ownership(aws).ownersOf([...new Set(references.map(({ id }) => id))]);
  return referenceProblem(name.namespace, references, owners);
};
