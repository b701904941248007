import type { AccountFacts } from '../../../shared/aws/account-facts.ts';
import type { Ec2Network } from '../../../shared/aws/ec2-network.ts';
import type { PortMemory } from '../../../shared/aws/port-memory.ts';
import type { PerScope } from '../../../shared/aws/scope.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Random } from '../../../shared/random.ts';
import type { ScopeDependencies } from '../infrastructure/scope.ts';

/** What the network steps work with. */
export interface NetworkDependencies extends ScopeDependencies {
  ec2: PerScope<Ec2Network>;
  account: PerScope<AccountFacts>;
  /** What was seen of networks a moment ago. */
  networkMemory: PortMemory<Ec2Network>;
  clock: Clock;
  random: Random;
}

/** Who the events come from. */
export const COMPONENT = 'cluster-network';
