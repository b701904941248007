import type { Clock } from '../../shared/clock.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { FollowedWrite, WriteEvent } from '../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { Log } from '../../shared/log.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import type { Touch } from '../../shared/store/work/executions.ts';
import type { PledgedWrite, PledgeStore } from '../../shared/store/work/pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { concernsClusters } from './affected/clusters.ts';
import { isNewsOfCustom } from './affected/custom-news.ts';
import { type AffectedDependencies, makeFindAffected } from './find-affected.ts';

export interface TouchDependencies extends AffectedDependencies {
  touch: Touch;
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/** The number of connections of an AWS SDK client: more touches would wait for one. */
const CONCURRENCY = 50;

/**
 * After this time, no more touches are started, so that a write that concerns many clusters is answered within two
 * seconds.
 */
const AT_ONCE_MS = 1_400;

/** A pledge is one item of the table, which is limited to 400 KB. */
const CLUSTERS_PER_PLEDGE = 1_000;

const writeOf = ({ resource, object, old }: WriteEvent): PledgedWrite => {
  const named = [object, ...(old ? [old] : [])].flatMap((version) => resource.clusterNameOf?.(version) ?? []);
  const { namespace = '', name } = object.metadata;
  return { group: resource.group, plural: resource.plural, namespace, name, clusterNames: [...new Set(named)] };
};

/** A deleted Cluster has nothing left to converge. */
const needsTouch = (event: WriteEvent): boolean => {
  const { resource, type } = event;
  if (!concernsClusters(resource)) return false;
  return resource.custom ? isNewsOfCustom(event) : !(resource.kind === 'Cluster' && type === 'deleted');
};

const keysOf = (resource: ResourceDefinition, { metadata }: KubeObject) => ({
  kind: resource.kind,
  namespace: metadata.namespace,
  name: metadata.name,
});

/**
 * Requests a pass over each cluster that a write concerns. The request is recorded before the write, so that the sweep
 * carries it out after a crash before the touch. Once the write has happened, nothing rejects: the client must get its
 * response, and the sweep starts passes that could not be started here.
 */
export const makeTouchClusters = (deps: TouchDependencies) => {
  const { touch, pledges, clock, log } = deps;
  const { ofWrite } = makeFindAffected(deps);

  /** Leaves clusters to the sweep, which starts their passes. */
  const pledge = async (clusters: readonly ClusterRef[]): Promise<void> => {
    for (let at = 0; at < clusters.length; at += CLUSTERS_PER_PLEDGE) {
      await pledges.give({ clusters: clusters.slice(at, at + CLUSTERS_PER_PLEDGE) });
    }
  };

  /** False if the pledge for the write is still needed. */
  const touchAll = async ({ resource, object, old }: WriteEvent): Promise<boolean> => {
    let isWhole = true;
    const end = clock.now().getTime() + AT_ONCE_MS;
    const late: ClusterRef[] = [];
    const failed = (error: unknown): void => {
      isWhole = false;
      log.error('A write was not followed by a pass', { ...keysOf(resource, object), error: safeReason(error) });
    };
    try {
      const clusters = await ofWrite(resource, object, old);
      await mapIsolated(
        clusters,
        CONCURRENCY,
        async (cluster) => {
          if (clock.now().getTime() < end) await touch(cluster, { isNews: true });
          else late.push(cluster);
        },
        (_, error) => failed(error),
      );
      if (isWhole) await pledge(late);
    } catch (error) {
      failed(error);
    }
    return isWhole;
  };

  const redeem = async (id: string): Promise<void> => {
    try {
      await pledges.redeem(id);
    } catch (error) {
      log.warn('A pledge is left to the sweep', { pledge: id, error: safeReason(error) });
    }
  };

  return async (event: WriteEvent): Promise<FollowedWrite | undefined> => {
    if (!needsTouch(event)) return undefined;
    const id = await pledges.give({ write: writeOf(event) });
    return {
      written: async (written) => {
        if (await touchAll(written)) await redeem(id);
      },
      refused: () => redeem(id),
    };
  };
};
