import { type Intents, isFresh } from './intents.ts';
import type { DesiredNetwork, NetworkAction, NetworkPlan, ObservedNetwork } from './model.ts';

/** Everything that a planner may know. */
export interface Situation {
  desired: DesiredNetwork;
  observed: ObservedNetwork;
  intents: Intents;
  /** When `observed` was read. Intents expire relative to it, however long the run was delayed since. */
  now: Date;
}

type Creation = Extract<NetworkAction, { intent: string }>;

/** A creation that EC2 has no client token for: waited for while its intent is fresh. */
export const planCreation = (action: Creation, { intents, now }: Situation): NetworkPlan =>
  isFresh(intents[action.intent], now) ? { actions: [], waiting: [action.intent] } : { actions: [action], waiting: [] };

/** One plan of several; the first problem counts, and the first pending part. */
export const mergePlans = (plans: readonly NetworkPlan[]): NetworkPlan => {
  const problem = plans.find((plan) => plan.problem)?.problem;
  const coming = plans.find((plan) => plan.coming)?.coming;
  return {
    actions: plans.flatMap(({ actions }) => actions),
    waiting: plans.flatMap(({ waiting }) => waiting),
    ...(problem ? { problem } : {}),
    ...(coming ? { coming } : {}),
  };
};
