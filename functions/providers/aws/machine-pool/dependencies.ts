import type { Clock } from '../../../../shared/clock.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { BootstrapObjects } from '../../../../shared/providers/aws/api/bootstrap-objects.ts';
import type { Ec2VolumeClaims } from '../../../../shared/providers/aws/api/ec2-volumes.ts';
import type { AutoScalingGroups } from '../../../../shared/providers/aws/machine-pool/api.ts';
import type { LaunchTemplates } from '../../../../shared/providers/aws/machine-pool/template-api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { MachineLeases } from '../../../../shared/store/work/work.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { DecisionDependencies } from '../instance/dependencies.ts';
import type { AwsPoolSnapshot } from './read-pool.ts';

interface Common {
  objects: ObjectClient;
  work: MachineLeases;
  /** The instance profiles that the installation lists. */
  instanceProfiles: readonly string[];
  clock: Clock;
}

/** The AWS calls of a pool. Images and security groups are looked up as for machines. */
interface PoolPorts extends Pick<DecisionDependencies, 'ec2' | 'imageParameters'> {
  groups: AutoScalingGroups;
  templates: LaunchTemplates;
  bootstrapObjects: Pick<BootstrapObjects, 'put' | 'delete'>;
  volumes: Ec2VolumeClaims;
}

/** The dependencies of a pool's steps in its region and account. */
export interface ScopedPoolDependencies extends Common {
  scopeOf: ScopeOf;
  pools: PerScope<PoolPorts>;
}

/** The dependencies for one pool, in the region and with the identity of its cluster. */
export interface PoolDependencies extends Common, PoolPorts {}

/** Narrows to the scope of a pool's cluster. */
export const inPoolScope = async (
  scoped: ScopedPoolDependencies,
  { awsCluster }: Pick<AwsPoolSnapshot, 'awsCluster'>,
): Promise<PoolDependencies> => ({ ...scoped, ...scoped.pools(await scoped.scopeOf(awsCluster)) });
