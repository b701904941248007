import type { Clock } from '../../../../shared/clock.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { Log } from '../../../../shared/log.ts';
import type { DeletedSecrets } from '../../../../shared/providers/aws/api/deleted-secrets.ts';
import type { Ec2Fleet, Ec2Schedule } from '../../../../shared/providers/aws/api/ec2-fleet.ts';
import type { ImageListing } from '../../../../shared/providers/aws/api/ec2-image-listing.ts';
import type { Ec2LaunchReads } from '../../../../shared/providers/aws/api/ec2-launch-reads.ts';
import type { Ec2Repairs } from '../../../../shared/providers/aws/api/ec2-repairs.ts';
import type { Elbv2Listing } from '../../../../shared/providers/aws/api/elbv2-listing.ts';
import type { ObjectDeletion } from '../../../../shared/providers/aws/api/object-deletion.ts';
import type { SecretDeletion } from '../../../../shared/providers/aws/api/secret-deletion.ts';
import type { Elbv2Reads } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { ObservedLoadBalancing } from '../../../../shared/providers/aws/load-balancer/model.ts';
import type {
  GroupHook,
  ObservedGroup,
  ObservedTemplate,
} from '../../../../shared/providers/aws/machine-pool/model.ts';
import type { NetworkView } from '../../../../shared/providers/aws/network/observe.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { ScopeOf } from '../aws-scope.ts';

/** Reads load balancers of both generations. */
export interface BalancingView extends Elbv2Reads {
  list(): Promise<Elbv2Listing>;
  listClassicNames(): Promise<ReadonlySet<string>>;
  observeClassic(name: string): Promise<ObservedLoadBalancing>;
}

/** Reads pools' groups and launch templates: those of the given names that exist. */
export interface PoolListing {
  /** At most 50 names. */
  groups(names: readonly string[]): Promise<ObservedGroup[]>;
  /** At most 200 names. */
  templates(names: readonly string[]): Promise<ObservedTemplate[]>;
  /** The lifecycle hooks of one group; none if there is no such group. */
  hooks(name: string): Promise<GroupHook[]>;
  subnets: Ec2LaunchReads['subnets'];
}

/** The dependencies of the AWS part of the sweep. */
export interface AwsSweepDependencies {
  objects: ObjectClient;
  scopeOf: ScopeOf;
  fleet: PerScope<Pick<Ec2Fleet, 'describeInstances' | 'describeInstancesOf'> & Ec2Schedule>;
  repairs: PerScope<Ec2Repairs>;
  secrets: PerScope<DeletedSecrets>;
  bootstrapSecrets: PerScope<SecretDeletion>;
  bootstrapObjects: PerScope<ObjectDeletion>;
  network: PerScope<NetworkView>;
  balancing: PerScope<BalancingView>;
  pools: PerScope<PoolListing>;
  images: PerScope<ImageListing>;
  clock: Clock;
  log: Log;
}
