import { type Intents, isFresh } from './intents.ts';
import type { DesiredNetwork, NetworkAction, NetworkPlan, ObservedNetwork } from './model.ts';

/** The complete input of a planner. */
export interface Situation {
  desired: DesiredNetwork;
  observed: ObservedNetwork;
  intents: Intents;
  /** When `observed` was read. Intents expire relative to this time, however long the run was delayed afterwards. */
  now: Date;
}

type Creation = Extract<NetworkAction, { intent: string }>;

/** A creation for which EC2 has no client token: it is awaited while its intent is fresh. */
export const planCreation = (action: Creation, { intents, now }: Situation): NetworkPlan =>
  isFresh(intents[action.intent], now) ? { actions: [], waiting: [action.intent] } : { actions: [action], waiting: [] };

/** Combines several plans. The first problem is used, and the first pending part. */
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
