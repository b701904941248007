/**
 * What the sweep requests from a provider's cloud. A provider lists and compares. The core decides what is plausible,
 * writes the findings, records events, requests passes, and isolates the objects of one cluster from those of others.
 */
import type { Cluster } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import type { ReadBudget } from '../../shared/kube-api/storage/read-budget.ts';
import type { Drift } from '../../shared/plan/drift/claims.ts';
import type { KnownMachine, Look } from '../../shared/plan/drift/finding.ts';
import type { Notice } from '../../shared/plan/instance-events/notice.ts';
import type { PlacedCluster } from '../../shared/providers/infrastructure.ts';
import type { Bulkheads } from '../bulkheads.ts';

/** A machine in a cluster whose infrastructure has the same provider. */
export interface PlacedMachine extends KnownMachine {
  readonly infrastructureCluster: InfrastructureCluster;
}

export interface Fleet {
  readonly clusters: readonly PlacedCluster[];
  readonly machines: readonly PlacedMachine[];
}

/** The clusters and machines of one provider in some namespaces. */
export interface ProvidedFleet extends Fleet {
  /**
   * Whether other functions handle other clusters in the same accounts. If so, only the resources of these clusters are
   * listed.
   */
  readonly isPart: boolean;
  readonly namespaces: readonly string[];
  /**
   * The budget to which further objects of these namespaces are charged. Nothing is concluded about a namespace that
   * the budget leaves out.
   */
  readonly budget: ReadBudget;
  /** Uids of all machines in these namespaces, including those without an instance. */
  readonly machineUids: ReadonlySet<string>;
}

/** A part of a fleet about which the cloud gives one answer, such as an account in a region. */
export interface FleetPart extends Fleet {
  /**
   * The clusters in `fleet` whose network, endpoint and so on were changed outside Windlass, so that a pass has
   * something to repair or to report. Calls for single clusters are made only for `turn` (uids of clusters), or if a
   * difference is already known. Changes nothing: the pass repairs. Errors of what could not be read are added to the
   * faults of `run`.
   */
  infrastructureDrift(fleet: Fleet, turn: ReadonlySet<string>, run: Bulkheads): Promise<readonly Cluster[]>;
}

/** The cloud's announcements for the instance of a machine. */
export interface Announcements {
  readonly give: readonly Notice[];
  /** Ids of recorded notices that are no longer announced. */
  readonly withdraw: readonly string[];
}

/**
 * A call that an event reports: as `Successful<reason>` with the resolved text, or as `Failed<reason>` with the cause.
 */
export interface ReportedCall {
  readonly reason: string;
  call(): Promise<string>;
}

/** The remedy for a difference: replacement by the owner, a call, or a change of the desired state. */
export type Remedy = 'replace' | ReportedCall | { adopt(): Promise<void> };

/** A difference between an instance and its machine's desired state. Without a remedy, it is only reported. */
export interface InstanceDifference extends Drift {
  readonly remedy?: Remedy;
}

/** An instance that is marked as a cluster's, but belongs to no machine. */
export interface UnknownInstance {
  readonly cluster: { readonly namespace: string; readonly name: string };
  /** A sentence without its full stop. */
  readonly message: string;
  /** Undefined if terminating the instance may harm the cluster: then it is only reported, whatever the policy. */
  readonly terminate?: ReportedCall;
}

/**
 * A cluster whose cloud cannot be read because of its own objects, such as a revoked identity. Nothing is concluded
 * about its resources; its nodes are read as usual.
 */
export interface UnreadCluster extends PlacedCluster {
  readonly machines: readonly PlacedMachine[];
  /** A sentence without its full stop. */
  readonly why: string;
  /** Whether the provider's objects already report this; otherwise, a pass must do so. */
  readonly isReported: boolean;
  /** Whether any infrastructure was ever found or created for it. */
  readonly isEstablished: boolean;
}

/** A snapshot of the cloud. The methods accept only machines and clusters of its parts. */
export interface Sight {
  /** The parts that answered. Nothing is concluded about others. */
  readonly parts: readonly FleetPart[];
  /** Clusters that are in no part because of their own objects. */
  readonly unread?: readonly UnreadCluster[];
  /** Whether the objects of a readable cluster still report that it cannot be read. Pure. */
  reportsUnread?(known: PlacedCluster): boolean;
  /** Pure. */
  announcements(known: PlacedMachine, now: Date): Announcements;
  /** Compares a machine with the state of its instance. Undefined if nothing has changed. Pure. */
  compareState(known: PlacedMachine, now: Date): Look | undefined;
  differences(known: PlacedMachine): Promise<readonly InstanceDifference[]>;
  /** Pure. */
  unknownInstances(clusters: readonly PlacedCluster[], now: Date): readonly UnknownInstance[];
}

/** A provider without this port is not compared with its cloud; the rest of a sweep also covers its clusters. */
export interface SweepPort {
  /**
   * Lists the resources of a fleet in the cloud. The number of calls grows with the pages, not with the clusters. A
   * part that does not answer is omitted, and its error is added to the faults of `run`.
   */
  look(fleet: ProvidedFleet, run: Bulkheads): Promise<Sight>;
}
