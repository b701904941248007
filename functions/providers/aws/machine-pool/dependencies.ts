import type { AutoScalingGroups } from '../../../../shared/providers/aws/machine-pool/api.ts';
import type { LaunchTemplates } from '../../../../shared/providers/aws/machine-pool/template-api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import { type InstanceDependencies, inScope, type ScopedInstanceDependencies } from '../instance/dependencies.ts';
import type { AwsPoolSnapshot } from './read-pool.ts';

interface PoolPorts {
  groups: AutoScalingGroups;
  templates: LaunchTemplates;
}

/** What the steps of a pool work with, wherever it is. Images and security groups are looked up as for machines. */
export interface ScopedPoolDependencies extends ScopedInstanceDependencies {
  pools: PerScope<PoolPorts>;
}

/** The same for one pool: in the region and as the identity of its cluster. */
export interface PoolDependencies extends InstanceDependencies, PoolPorts {}

/** Narrows to the scope of a pool's cluster. */
export const inPoolScope = async (
  scoped: ScopedPoolDependencies,
  { awsCluster }: Pick<AwsPoolSnapshot, 'awsCluster'>,
): Promise<PoolDependencies> => {
  const deps = await inScope(scoped, { awsCluster });
  return { ...deps, ...scoped.pools(await scoped.scopeOf(awsCluster)) };
};
