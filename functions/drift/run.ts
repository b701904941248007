import type { Cluster } from '../../shared/kinds/index.ts';
import { type Bulkheads, makeBulkheads } from '../bulkheads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { DriftDependencies } from './dependencies.ts';

/** One sweep: what it could not do, and what it has pledged. */
export interface SweepRun extends Bulkheads {
  /**
   * Before marks are written by which the next sweep skips what this one has found: pledges that these clusters
   * are touched. No write where there are none.
   */
  pledge(clusters: readonly Cluster[]): Promise<void>;
  /** Redeems what was pledged, once all clusters are touched. */
  redeem(): Promise<void>;
}

export const startRun = ({ log, pledges }: Pick<DriftDependencies, 'log' | 'pledges'>): SweepRun => {
  const ids: string[] = [];
  return {
    ...makeBulkheads(log),
    pledge: async (clusters) => {
      if (clusters.length === 0) return;
      const refs = new Map(clusters.map((cluster) => [cluster.metadata.uid, clusterRefOf(cluster)]));
      ids.push(await pledges.give({ clusters: [...refs.values()] }));
    },
    redeem: async () => {
      await Promise.all(ids.splice(0).map((id) => pledges.redeem(id)));
    },
  };
};
