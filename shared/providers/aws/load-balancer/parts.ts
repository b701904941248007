import type { LoadBalancerAction } from './model.ts';

/** What a part of the plan says. */
export interface LoadBalancerPlan {
  actions: readonly LoadBalancerAction[];
  waiting: readonly string[];
  problem?: { message: string };
}

export const NOTHING: LoadBalancerPlan = { actions: [], waiting: [] };

type Attributes = Readonly<Record<string, string>>;

/** The attributes of `desired` that are not so. */
export const differing = (desired: Attributes, observed: Attributes): Attributes =>
  Object.fromEntries(Object.entries(desired).filter(([key, value]) => observed[key] !== value));

export const isEmpty = (attributes: Attributes): boolean => Object.keys(attributes).length === 0;

/** The keys of attributes or tags, for a person. */
export const keysOf = (values: Attributes): string => Object.keys(values).join(', ');
