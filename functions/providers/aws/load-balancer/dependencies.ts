import type { Resolves } from '../../../../shared/names.ts';
import type { BalancingGarbage } from '../../../../shared/providers/aws/api/balancing-garbage.ts';
import type { Ec2Addresses } from '../../../../shared/providers/aws/api/ec2-addresses.ts';
import type { Ec2Ownership } from '../../../../shared/providers/aws/api/ec2-ownership.ts';
import type { PortCache } from '../../../../shared/providers/aws/api/port-cache.ts';
import type { Elbv2 } from '../../../../shared/providers/aws/load-balancer/api.ts';
import type { ClassicElb } from '../../../../shared/providers/aws/load-balancer/classic/api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { Random } from '../../../../shared/random.ts';
import type { BucketDependencies } from '../bucket/dependencies.ts';

/** The dependencies of the load balancer's steps. */
export interface LoadBalancerDependencies extends BucketDependencies {
  elbv2: PerScope<Elbv2>;
  /** What was just observed of load balancers. */
  balancingCache: PortCache<Elbv2>;
  classicElb: PerScope<ClassicElb>;
  garbage: PerScope<BalancingGarbage>;
  addresses: PerScope<Ec2Addresses>;
  ownership: PerScope<Ec2Ownership>;
  random: Random;
  resolves: Resolves;
}
