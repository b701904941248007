/**
 * What the sweep requests from a provider's cloud. A provider lists and compares; the core decides what is plausible,
 * writes the findings, records events, requests passes and isolates the objects of one cluster from those of others.
 */
import type { Cluster } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import type { ReadBudget } from '../../shared/kube-api/storage/read-budget.ts';
import type { Drift } from '../../shared/plan/drift/claims.ts';
import type { KnownMachine, Look } from '../../shared/plan/drift/finding.ts';
import type { Notice } from '../../shared/plan/instance-events/notice.ts';
import type { PlacedCluster } from '../../shared/providers/infrastructure.ts';
import type { Bulkheads } from '../bulkheads.ts';

/** A machine in a cluster whose infrastructure is of the same provider. */
export interface PlacedMachine extends KnownMachine {
  readonly infrastructureCluster: InfrastructureCluster;
}

export interface Fleet {
  readonly clusters: readonly PlacedCluster[];
  readonly machines: readonly PlacedMachine[];
}

/** The clusters and machines of some namespaces that are of one provider. */
export interface ProvidedFleet extends Fleet {
  /**
   * Whether other functions handle other clusters of the same accounts: then only the resources of these clusters are
   * listed.
   */
  readonly isPart: boolean;
  readonly namespaces: readonly string[];
  /** To which further objects of these namespaces are charged. Those that it leaves out are not concluded about. */
  readonly budget: ReadBudget;
  /** Uids of all machines of these namespaces, also of those without an instance. */
  readonly machineUids: ReadonlySet<string>;
}

/** A part of a fleet for which the cloud answers as a whole, such as an account in a region. */
export interface FleetPart extends Fleet {
  /**
   * The clusters, of `fleet`, whose network, endpoint and so on were changed outside Windlass, so that a pass has
   * something to repair or to report. Calls for one cluster at a time are made only for `turn` (uids of clusters), or
   * if a difference is already known. Changes nothing: the pass repairs. What could not be read is among the faults of
   * `run`.
   */
  infrastructureDrift(fleet: Fleet, turn: ReadonlySet<string>, run: Bulkheads): Promise<readonly Cluster[]>;
}

/** The cloud's announcements for the instance of a machine. */
export interface Announcements {
  readonly give: readonly Notice[];
  /** Ids of recorded notices that are no longer announced. */
  readonly withdraw: readonly string[];
}

/** A call that an event reports: `Successful<reason>` with what it resolves to, or `Failed<reason>` with why it failed. */
export interface ReportedCall {
  readonly reason: string;
  call(): Promise<string>;
}

/** The remedy for a difference: the owner replaces the machine, a call, or a change of the desired state. */
export type Remedy = 'replace' | ReportedCall | { adopt(): Promise<void> };

/** How an instance differs from its machine's desired state. Without a remedy it is only reported. */
export interface InstanceDifference extends Drift {
  readonly remedy?: Remedy;
}

/** An instance that carries the marks of a cluster and that no machine has. */
export interface UnknownInstance {
  readonly cluster: { readonly namespace: string; readonly name: string };
  /** As a sentence without its end. */
  readonly message: string;
  /** Undefined if terminating it may harm the cluster: then it is reported, whatever the policy. */
  readonly terminate?: ReportedCall;
}

/**
 * A cluster whose cloud cannot be read because of its own objects, such as an identity that was revoked. Nothing is
 * concluded about its resources; its nodes are read as always.
 */
export interface UnreadCluster extends PlacedCluster {
  readonly machines: readonly PlacedMachine[];
  /** As a sentence without its end. */
  readonly why: string;
  /** Whether the objects of the provider say so already; otherwise a pass has to. */
  readonly isReported: boolean;
  /** Whether anything was ever found or created for it. */
  readonly isEstablished: boolean;
}

/** A snapshot of the cloud. Methods are about the machines and clusters of its parts. */
export interface Sight {
  /** Those that answered. Nothing is concluded of the others. */
  readonly parts: readonly FleetPart[];
  /** Clusters that are in none of the parts because of their own objects. */
  readonly unread?: readonly UnreadCluster[];
  /** Whether the objects of a cluster that can be read still report that it cannot. Pure. */
  reportsUnread?(known: PlacedCluster): boolean;
  /** Pure. */
  announcements(known: PlacedMachine, now: Date): Announcements;
  /** Compares a machine with the state of its instance. Undefined if nothing has changed. Pure. */
  compareState(known: PlacedMachine, now: Date): Look | undefined;
  differences(known: PlacedMachine): Promise<readonly InstanceDifference[]>;
  /** Pure. */
  unknownInstances(clusters: readonly PlacedCluster[], now: Date): readonly UnknownInstance[];
}

/** A provider without it is not compared with its cloud; all else of a sweep is done for its clusters as well. */
export interface SweepPort {
  /**
   * Lists the resources of a fleet in the cloud, in calls that grow with pages and not with clusters. A part that does
   * not answer is omitted, and its error is among the faults of `run`.
   */
  look(fleet: ProvidedFleet, run: Bulkheads): Promise<Sight>;
}
