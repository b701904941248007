import { oldestFirst, type RolloutFacts, type ScaleIntent, sumOf } from './facts.ts';
import { growCurrent } from './grow-current.ts';

/**
 * The next step where machines are only replaced once somebody deletes them. Old sets follow their machines down, so
 * that a deleted machine is made anew in the current set; of surplus machines, after a scale down, the oldest set's go
 * first. The rules are those of Cluster API's rollout planner (machinedeployment_rollout_ondelete.go).
 */
export const planOnDelete = (facts: RolloutFacts, replicas: number): ScaleIntent[] => {
  const grown = growCurrent(facts, { replicas, limit: replicas });
  const ofCurrent = grown?.replicas ?? facts.current.desired;
  let surplus = Math.max(sumOf(facts.old, (set) => set.desired) + ofCurrent - replicas, 0);
  const intents: ScaleIntent[] = grown ? [grown] : [];
  const old = oldestFirst(facts.old);
  const kept = new Map(old.map((set) => [set.name, Math.min(set.desired, set.actual)]));
  surplus -= sumOf(old, (set) => set.desired - Math.min(set.desired, set.actual));
  for (const set of old) {
    const there = kept.get(set.name) ?? 0;
    const taken = Math.max(Math.min(there, surplus), 0);
    surplus -= taken;
    const target = there - taken;
    if (target === set.desired) continue;
    const reason = taken > 0 ? `the MachineDeployment has ${replicas} replicas` : 'machines were deleted';
    intents.push({ set: set.name, replicas: target, reason });
  }
  return intents;
};
