import type { LoadBalancerAction } from './model.ts';

/** The result of one part of the plan. */
export interface LoadBalancerPlan {
  actions: readonly LoadBalancerAction[];
  waiting: readonly string[];
  problem?: { message: string };
}

export const NOTHING: LoadBalancerPlan = { actions: [], waiting: [] };

type Attributes = Readonly<Record<string, string>>;

/** The attributes of `desired` that differ from the observed ones. */
export const differing = (desired: Attributes, observed: Attributes): Attributes =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => observed[key] !== value));

export const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** The keys of attributes or tags, for messages. */
export const keysOf = (values: Attributes): string => Object.keys(values).join(', ');
