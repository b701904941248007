import type { Clock } from '../../../../shared/clock.ts';
import type { AccountFacts } from '../../../../shared/providers/aws/api/account-facts.ts';
import type { PortCache } from '../../../../shared/providers/aws/api/port-cache.ts';
import type { RememberedFacts } from '../../../../shared/providers/aws/api/remembered-counts.ts';
import type { Ec2Network } from '../../../../shared/providers/aws/network/api.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { Random } from '../../../../shared/random.ts';
import type { ScopeDependencies } from '../infrastructure/scope.ts';

/** The dependencies of the network steps. */
export interface NetworkDependencies extends ScopeDependencies {
  ec2: PerScope<Ec2Network>;
  account: PerScope<AccountFacts & Partial<Pick<RememberedFacts, 'forgetBefore'>>>;
  /** What was just observed of networks. */
  networkCache: PortCache<Ec2Network>;
  /** Whether clusters without a public address can be reached; undefined if unknown. */
  reachesPrivate?: boolean;
  clock: Clock;
  random: Random;
}
