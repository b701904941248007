import type { Ec2Network } from '../../../shared/aws/ec2-network.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { Random } from '../../../shared/random.ts';

/** What the network steps work with. */
export interface NetworkDependencies {
  objects: ObjectClient;
  /** EC2 of a region; the stack's own where the cluster names none. */
  ec2: (region: string | undefined) => Ec2Network;
  clock: Clock;
  random: Random;
}

/** Who the events come from. */
export const COMPONENT = 'cluster-network';
