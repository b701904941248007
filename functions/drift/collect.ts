import { kinds } from '../../shared/kinds/index.ts';
import type { Collected } from '../../shared/kube-api/garbage/contract.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { SweepRun } from './run.ts';
import { touchAll } from './unfinished.ts';

/** A fifth of the function's time, because accounts and nodes are read afterwards. */
const BUDGET = { objects: 2_000, milliseconds: 60_000 };

export interface Collection {
  /** The number of deleted or changed objects. */
  count: number;
  /** Whether all affected clusters are touched. */
  isTouched: boolean;
}

type Touched = Collected['touched'][number];

/**
 * Deletes objects without owners if the write that should have deleted them could not, and requests a pass over the
 * clusters concerned, because resources behind finalizers must be deleted, too. Failed deletions stay marked for the
 * next sweep.
 */
export const collect = async (deps: DriftDependencies, run: SweepRun): Promise<Collection> => {
  const { collectGarbage, objects, log } = deps;
  const clusters = new Map<string, Promise<ClusterRef | undefined>>();
  const find = async ({ resource, object }: Touched): Promise<ClusterRef | undefined> => {
    const name = resource.clusterNameOf?.(object);
    const cluster = name && (await objects.get(kinds.cluster, { namespace: object.metadata.namespace ?? '', name }));
    if (!cluster) return undefined;
    await run.pledge([cluster]);
    return clusterRefOf(cluster);
  };
  const keyOf = ({ resource, object }: Touched) => `${object.metadata.namespace}/${resource.clusterNameOf?.(object)}`;
  /** Before an object is deleted: looks up its cluster and pledges a touch, once for each cluster. */
  const before = async (one: Touched): Promise<void> => {
    const found = clusters.get(keyOf(one)) ?? find(one);
    clusters.set(keyOf(one), found);
    await found;
  };
  try {
    const { touched, failures, left } = await collectGarbage(BUDGET, before);
    for (const failure of failures) log.error('garbage could not be collected', { reason: safeReason(failure) });
    if (left > 0) log.warn('garbage is left for the next sweep', { marks: left });
    const found = await Promise.all(clusters.values());
    const isTouched = await touchAll(
      deps,
      run,
      found.flatMap((ref) => ref ?? []),
    );
    return { count: touched.length, isTouched };
  } catch (error) {
    log.error('garbage could not be collected', { reason: safeReason(error) });
    run.faults.push(error);
    return { count: 0, isTouched: false };
  }
};
