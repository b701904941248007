/** How a provider translates the events of its cloud into what the core understands. */
import type { InfrastructureCluster, InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import type { KnownMachine, StateFinding } from '../../shared/plan/drift/finding.ts';
import type { NoticeGiven, NoticeTakenBack } from '../../shared/plan/instance-events/news.ts';

/** An instance is in another state. Events keep no order, so it may be in yet another by now. */
export interface StateChange {
  readonly kind: 'state';
  readonly instanceId: string;
  /** How the instance differs from what is on record, as the sweep would find later. May ask the cloud. */
  look(known: KnownMachine): Promise<readonly StateFinding[]>;
}

export type InstanceNews = StateChange | NoticeGiven | NoticeTakenBack;

/** Someone has changed what clusters may own. */
export interface InfrastructureChange {
  /** The change in one word, for the log. */
  readonly what: string;
  /** Whether it changed something of this cluster's. Pure. */
  concerns(infrastructure: InfrastructureCluster): boolean;
}

/** The group of a pool has launched or terminated an instance, or is about to. */
export interface PoolChange {
  /** What happened, for the log. */
  readonly what: string;
  /** The only namespace whose pools it may concern. */
  readonly namespace: string;
  /** Whether it is the group of this pool. Pure. */
  concerns(pool: InfrastructurePool): boolean;
}

export type CloudNews =
  | { readonly instances: readonly InstanceNews[] }
  | { readonly change: InfrastructureChange }
  | { readonly pool: PoolChange };

/** A provider without it detects changes only in the sweep. */
export interface EventPort {
  /**
   * What an event says; undefined for one that is not of this cloud. Throws for an event of a type that the cloud sends
   * and in a form that it does not: the rules deliver none, so it would be a fault of ours.
   */
  read(event: unknown): CloudNews | undefined;
}
