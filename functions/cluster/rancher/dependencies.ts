import type { PledgeStore } from '../../../shared/store/work/pledges.ts';
import type { ObjectsDependencies } from '../objects/dependencies.ts';

/** The dependencies of passes over Clusters of Rancher's group. */
export interface RancherDependencies extends ObjectsDependencies {
  /** Pledges for touches of the created Clusters; such a touch must not be lost. */
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
}
