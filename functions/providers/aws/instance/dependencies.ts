import type { Clock } from '../../../../shared/clock.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { Ec2ImageReads } from '../../../../shared/providers/aws/api/ec2-image-reads.ts';
import type { Ec2Instances } from '../../../../shared/providers/aws/api/ec2-instances.ts';
import type { Ec2LaunchReads } from '../../../../shared/providers/aws/api/ec2-launch-reads.ts';
import type { ImageParameters } from '../../../../shared/providers/aws/api/image-parameters.ts';
import type { DrainWaits } from '../../../../shared/providers/aws/machine-pool/drain-waits.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { Random } from '../../../../shared/random.ts';
import type { Touch } from '../../../../shared/store/work/executions.ts';
import type { WorkStore } from '../../../../shared/store/work/work.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { BootstrapStores } from '../bootstrap-stores.ts';
import type { AwsMachineSnapshot } from '../read-machine.ts';
import type { CapacityMemory } from './capacity-memory.ts';

interface Common {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  /** The instance profiles that the installation lists. */
  instanceProfiles: readonly string[];
  clock: Clock;
  random: Random;
}

/** The AWS dependencies of an instance apart from EC2 itself. */
export interface LaunchSources {
  imageParameters: ImageParameters;
  capacity: CapacityMemory;
  waits: DrainWaits;
}

/** The dependencies of a machine's instance steps in its region and account. */
export interface ScopedInstanceDependencies extends Common {
  scopeOf: ScopeOf;
  ec2: PerScope<Ec2Instances>;
  stores: PerScope<BootstrapStores>;
  launches: PerScope<LaunchSources>;
}

/** The dependencies for one machine, in the region and with the identity of its cluster. */
export interface InstanceDependencies extends Common, BootstrapStores, LaunchSources {
  ec2: Ec2Instances;
  region: string;
}

/** The dependencies for deciding a request. */
export interface DecisionDependencies extends Pick<Common, 'objects' | 'instanceProfiles' | 'clock'> {
  ec2: Ec2LaunchReads & Ec2ImageReads;
  imageParameters: ImageParameters;
}

/** Narrows to the scope of a machine's cluster. */
export const inScope = async (
  scoped: ScopedInstanceDependencies,
  { awsCluster }: Pick<AwsMachineSnapshot, 'awsCluster'>,
): Promise<InstanceDependencies> => {
  const scope = await scoped.scopeOf(awsCluster);
  const { region = '' } = scope;
  return { ...scoped, ...scoped.stores(scope), ...scoped.launches(scope), ec2: scoped.ec2(scope), region };
};
