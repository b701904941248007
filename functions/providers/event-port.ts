/** How a provider translates the events of its cloud into what the core understands. */
import type { InfrastructureCluster, InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import type { KnownMachine, StateFinding } from '../../shared/plan/drift/finding.ts';
import type { NoticeGiven, NoticeTakenBack } from '../../shared/plan/instance-events/news.ts';

/** An instance is in another state. Events keep no order, so it may be in yet another by now. */
export interface StateChange {
  readonly kind: 'state';
  readonly instanceId: string;
  /** How the instance differs from the record, as the sweep would find later. May query the cloud. */
  look(known: KnownMachine): Promise<readonly StateFinding[]>;
}

export type InstanceNews = StateChange | NoticeGiven | NoticeTakenBack;

/** Resources that clusters may own were changed outside Windlass. */
export interface InfrastructureChange {
  /** The change in one word, for the log. */
  readonly what: string;
  /** All names of resources that it may have changed. */
  readonly resources: readonly string[];
  /** All names of resources that a cluster records: one that it concerns records one of `resources`. Pure. */
  namesIn(infrastructure: InfrastructureCluster): readonly string[];
  /** Whether it changed something of this cluster's. Pure. */
  concerns(infrastructure: InfrastructureCluster): boolean;
  /** Whether Windlass itself made it for this cluster. May read objects; called only for clusters that it concerns. */
  isOwn(infrastructure: InfrastructureCluster): Promise<boolean>;
}

/** The group of a pool has launched or terminated an instance, or is about to. */
export interface PoolChange {
  /** What happened, for the log. */
  readonly what: string;
  /** The group's name in its cloud. */
  readonly group: string;
  /**
   * The pool that would give its group this name; without a name, one of the namespace. Undefined if none would: a group
   * that was taken over may have any name.
   */
  readonly likely?: { readonly namespace: string; readonly name?: string } | undefined;
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
   * The content of an event; undefined for an event of another cloud. Throws for an event of the cloud in an unexpected
   * form: the rules deliver none, so it would be a bug.
   */
  read(event: unknown): CloudNews | undefined;
}
