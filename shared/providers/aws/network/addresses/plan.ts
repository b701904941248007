import type { Tags } from '../../tags.ts';
import type { NetworkPlan } from '../model.ts';
import { planCreation, type Situation } from '../situation.ts';

/** The number of addresses of the pool that this plan has already requested. */
export interface PoolUse {
  count: number;
}

const FIELD = 'spec.network.vpc.elasticIpPool.publicIpv4Pool';

const problem = (message: string): NetworkPlan => ({
  actions: [],
  waiting: [],
  problem: { condition: 'NatGatewaysReady', message },
});

/**
 * An address of the pool that the spec names, or one of Amazon's if there is no pool, or if the pool is empty and the
 * spec says `amazon-pool`.
 */
export const planAllocation = (situation: Situation, intent: string, tags: Tags, used: PoolUse): NetworkPlan => {
  const { desired, observed } = situation;
  const wanted = desired.elasticIpPool;
  const action = { type: 'AllocateAddress', intent, tags } as const;
  if (!wanted) return planCreation(action, situation);
  const { publicPool } = observed;
  if (publicPool === 'none') return problem(`${FIELD}: there is no pool ${wanted.id}`);
  if ((publicPool?.free ?? 0) > used.count) {
    used.count += 1;
    return planCreation({ ...action, pool: wanted.id }, situation);
  }
  if (wanted.fallsBack) return planCreation(action, situation);
  return problem(`${FIELD}: pool ${wanted.id} has no free address, and publicIpv4PoolFallbackOrder is none`);
};
