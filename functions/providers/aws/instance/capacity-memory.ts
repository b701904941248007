import { type CapacityRefusal, recent } from '../../../../shared/providers/aws/plan/launch/candidates.ts';

/**
 * The types for which EC2 recently had no capacity in one account and region, for the lifetime of this process:
 * machines that are launched together try once, and not once each. A lost memory costs a call.
 */
export interface CapacityMemory {
  remember(refusal: CapacityRefusal): void;
  recall(now: Date): CapacityRefusal[];
}

export const createCapacityMemory = (): CapacityMemory => {
  let refusals: CapacityRefusal[] = [];
  const recall = (now: Date): CapacityRefusal[] => {
    refusals = recent(refusals, now);
    return refusals;
  };
  const remember = (refusal: CapacityRefusal): void => {
    refusals = [...recall(new Date(refusal.at)), refusal];
  };
  return { recall, remember };
};
