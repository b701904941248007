import type { PortCacheOptions } from '../api/port-cache.ts';
import type { Elbv2 } from './api.ts';
import { balancer } from './balancer/driver.ts';
import type { AnyDriver, Operation, Operations } from './driver.ts';
import { listeners } from './listeners/driver.ts';
import type { LoadBalancerAction } from './model.ts';
import { tags } from './tags/driver.ts';
import { targetGroups } from './target-groups/driver.ts';

/** The resources of a load balancer, in the order in which they are planned and taken down. */
const ALL = [balancer, targetGroups, listeners, tags] as const satisfies readonly AnyDriver[];

export const DRIVERS: readonly AnyDriver[] = ALL;

type Whole<Part> = (Part extends unknown ? (part: Part) => void : never) extends (whole: infer W) => void ? W : never;

const merge = <T extends object>(parts: readonly (T | undefined)[]): T => Object.assign({}, ...parts);

const OPERATIONS: Operations<LoadBalancerAction> = merge<object>(ALL.map(({ operations }) => operations)) as Whole<
  (typeof ALL)[number]['operations']
>;

/** How an action is carried out, and what it means. */
export const operationOf = ({ type }: LoadBalancerAction): Operation<LoadBalancerAction> =>
  // The table contains the operation for each type, which TypeScript cannot infer through the lookup.
  OPERATIONS[type] as Operation<LoadBalancerAction>;

/** The cached reads of load balancers. */
export const BALANCING_CACHE: Pick<PortCacheOptions<Elbv2>, 'reads' | 'invalidates' | 'updates'> = {
  reads: DRIVERS.flatMap(({ cache }) => cache.reads),
  invalidates: merge(DRIVERS.map(({ cache }) => cache.invalidates)),
  updates: merge(DRIVERS.map(({ cache }) => cache.updates)),
};

/** The permissions of a function that manages load balancers. */
export const BALANCING_RIGHTS = {
  reads: DRIVERS.flatMap(({ rights }) => rights.reads),
  creates: DRIVERS.flatMap(({ rights: { creates = [] } }) => creates),
  changes: DRIVERS.flatMap(({ rights }) => rights.changes),
  types: DRIVERS.flatMap(({ rights: { types = [] } }) => types),
} as const;
