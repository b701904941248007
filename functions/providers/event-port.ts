/** Translates the events of a provider's cloud for the core. */
import type { InfrastructureCluster, InfrastructurePool } from '../../shared/kinds/infrastructure.ts';
import type { KnownMachine, StateFinding } from '../../shared/plan/drift/finding.ts';
import type { NoticeGiven, NoticeTakenBack } from '../../shared/plan/instance-events/news.ts';

/** An instance has changed its state. Events arrive in any order, so it may be in yet another state by now. */
export interface StateChange {
  readonly kind: 'state';
  readonly instanceId: string;
  /** How the instance differs from the record, as the sweep would find it later. May query the cloud. */
  look(known: KnownMachine): Promise<readonly StateFinding[]>;
}

export type InstanceNews = StateChange | NoticeGiven | NoticeTakenBack;

/** Resources that clusters may own were changed outside Windlass. */
export interface InfrastructureChange {
  /** The change in one word, for the log. */
  readonly what: string;
  /** All names of resources that it may have changed. */
  readonly resources: readonly string[];
  /** All resource names that a cluster records; a cluster that is concerned records one of `resources`. Pure. */
  namesIn(infrastructure: InfrastructureCluster): readonly string[];
  /** Whether a resource of this cluster was changed. Pure. */
  concerns(infrastructure: InfrastructureCluster): boolean;
  /**
   * Whether Windlass itself made the change for this cluster. May read objects; called only for clusters that are
   * concerned.
   */
  isOwn(infrastructure: InfrastructureCluster): Promise<boolean>;
}

/** The group of a pool has launched or terminated an instance, or is about to. */
export interface PoolChange {
  /** What happened, for the log. */
  readonly what: string;
  /** The group's name in its cloud. */
  readonly group: string;
  /**
   * The pool that would give its group this name; if the name is missing, any pool in the namespace. Undefined if no
   * pool would: an adopted group may have any name.
   */
  readonly likely?: { readonly namespace: string; readonly name?: string } | undefined;
  /** Whether the group belongs to this pool. Pure. */
  concerns(pool: InfrastructurePool): boolean;
}

export type CloudNews =
  | { readonly instances: readonly InstanceNews[] }
  | { readonly change: InfrastructureChange }
  | { readonly pool: PoolChange };

/** A provider without this port detects changes only in the sweep. */
export interface EventPort {
  /**
   * The content of an event; undefined for an event of another cloud. Throws for an event of this cloud in an
   * unexpected form: the rules deliver no such event, so it would be a bug.
   */
  read(event: unknown): CloudNews | undefined;
}
