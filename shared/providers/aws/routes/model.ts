import type { Retry } from '../../../plan/duties/retry.ts';
import type { WantedRoute } from '../../../plan/routes/wanted.ts';

/** Routes to the instances of nodes. Nothing here uses the SDK. */

interface InTable {
  readonly tableId: string;
  /** An IPv4 block. */
  readonly block: string;
}

/** A change for one route that a node needs. */
export type RouteChange =
  | { type: 'DisableSourceCheck'; instanceId: string }
  | ({ type: 'CreateRoute' | 'ReplaceRoute'; instanceId: string } & InTable);

/** What one wanted route needs: no changes, changes in order, or the reason why it is impossible. */
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
