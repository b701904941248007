import type { Retry } from '../../../plan/duties/retry.ts';
import type { WantedRoute } from '../../../plan/routes/wanted.ts';

/** Routes to the instances of nodes. Nothing here knows the SDK. */

interface InTable {
  readonly tableId: string;
  /** An IPv4 block. */
  readonly block: string;
}

/** A change for the sake of one route that a node needs. */
export type RouteChange =
  | { type: 'DisableSourceCheck'; instanceId: string }
  | ({ type: 'CreateRoute' | 'ReplaceRoute'; instanceId: string } & InTable);

/** What one wanted route needs: nothing to do, changes in order, or why there can be none. */
export interface PlannedRoute {
  readonly route: WantedRoute;
  readonly changes: readonly RouteChange[];
  readonly problem?: { readonly message: string; readonly retry: Retry };
}

export type RouteRemoval = { readonly type: 'DeleteRoute' } & InTable;

export interface RoutePlan {
  readonly removals: readonly RouteRemoval[];
  readonly planned: readonly PlannedRoute[];
}
