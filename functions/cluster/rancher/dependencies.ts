import type { PledgeStore } from '../../../shared/store/pledges.ts';
import type { ObjectsDependencies } from '../objects/dependencies.ts';

/** What the passes over Clusters of Rancher's group work with. */
export interface RancherDependencies extends ObjectsDependencies {
  /** Touches of the Clusters that are made, which must not be lost. */
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
}
