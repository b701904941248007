import pLimit from 'p-limit';
import type { Cluster } from '../../shared/kinds/index.ts';
import { makeReadBudget, type ReadBudget } from '../../shared/kube-api/storage/read-budget.ts';
import { type BrakeSummary, type NamespaceTally, summaryOf, type Tally } from '../../shared/plan/drift/brake.ts';
import { type Bulkheads, makeBulkheads } from '../bulkheads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { DriftDependencies } from './dependencies.ts';
import { SWEEP_LIMITS } from './memory-limits.ts';

/** One sweep: what it could not do, and what it has pledged. */
export interface SweepRun extends Bulkheads {
  /**
   * Pledges a touch of these clusters. This comes before the marks that make the next sweep skip the findings. Writes
   * nothing for an empty list.
   */
  pledge(clusters: readonly Cluster[]): Promise<void>;
  /** Clusters with a pledge for which something failed afterwards: what it should have written may be stored. */
  failed(): readonly Cluster[];
  /** Redeems the pledges once all clusters are touched. */
  redeem(): Promise<void>;
  /** The memory budget for the objects of the sweep. */
  readonly budget: ReadBudget;
  /** Notes what was seen of a cluster's nodes. */
  noteNodes(namespace: string, seen: Tally): void;
  /** What was seen of the nodes of all clusters, by namespace. */
  nodes(): BrakeSummary;
  /** Whether the fleet brake applies to a namespace, according to previous sweeps. */
  isBraked(namespace: string): boolean;
  /** Runs work that calls the API server of a workload cluster as soon as a place is free. */
  withServer<R>(work: () => Promise<R>): Promise<R>;
}

/**
 * The number of API servers that a sweep reads concurrently, in all accounts and regions together. A hostile server may
 * answer with lists of the maximum size, and all concurrent answers must fit into the function's memory.
 */
export const SERVERS_AT_ONCE = 5;

type RunDependencies = Pick<DriftDependencies, 'log' | 'pledges'>;

export const startRun = (
  { log, pledges }: RunDependencies,
  isBraked: (namespace: string) => boolean = () => false,
  budget: ReadBudget = makeReadBudget(SWEEP_LIMITS),
): SweepRun => {
  const ids: string[] = [];
  const pledged = new Set<string | undefined>();
  const failed: Cluster[] = [];
  const tallies = new Map<string, NamespaceTally>();
  const servers = pLimit(SERVERS_AT_ONCE);
  return {
    isBraked,
    budget,
    withServer: (work) => servers(work),
    noteNodes: (namespace, { considered, broken }) => {
      const known = tallies.get(namespace) ?? { namespace, considered: 0, broken: 0 };
      tallies.set(namespace, {
        namespace,
        considered: known.considered + considered,
        broken: known.broken + broken,
      });
    },
    nodes: () => summaryOf([...tallies.values()]),
    ...makeBulkheads(log, ({ cluster }) => {
      if (pledged.has(cluster.metadata.uid)) failed.push(cluster);
    }),
    failed: () => failed,
    pledge: async (clusters) => {
      if (clusters.length === 0) return;
      const refs = new Map(clusters.map((cluster) => [cluster.metadata.uid, clusterRefOf(cluster)]));
      for (const uid of refs.keys()) pledged.add(uid);
      ids.push(await pledges.give({ clusters: [...refs.values()] }));
    },
    redeem: async () => {
      await Promise.all(ids.splice(0).map((id) => pledges.redeem(id)));
    },
  };
};
