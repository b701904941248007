import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { FollowedWrite, WriteEvent } from '../../shared/kube-api/registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { Log } from '../../shared/log.ts';
import { safeReason } from '../../shared/safe-reason.ts';
import { mapIsolated } from '../../shared/store/concurrency.ts';
import type { Touch } from '../../shared/store/executions.ts';
import type { PledgedWrite, PledgeStore } from '../../shared/store/pledges.ts';
import { concernsClusters } from './affected-clusters.ts';
import { type AffectedDependencies, makeFindAffected } from './find-affected.ts';

export interface TouchDependencies extends AffectedDependencies {
  touch: Touch;
  pledges: Pick<PledgeStore, 'give' | 'redeem'>;
  log: Log;
}

const CONCURRENCY = 10;

const writeOf = ({ resource, object, old }: WriteEvent): PledgedWrite => {
  const named = [object, ...(old ? [old] : [])].flatMap((version) => resource.clusterNameOf?.(version) ?? []);
  const { namespace = '', name } = object.metadata;
  return { group: resource.group, plural: resource.plural, namespace, name, clusterNames: [...new Set(named)] };
};

/** A Cluster that is gone has nothing left to converge. */
const needsTouch = ({ resource, type }: WriteEvent): boolean =>
  concernsClusters(resource) && !(resource.kind === 'Cluster' && type === 'deleted');

const keysOf = (resource: ResourceDefinition, { metadata }: KubeObject) => ({
  kind: resource.kind,
  namespace: metadata.namespace,
  name: metadata.name,
});

/**
 * Asks for a pass over each cluster that a write concerns. That a write is about to happen is written down before it
 * does, so that whoever dies before the touch leaves it to the sweep. Once the write has happened nothing rejects: the
 * client must be told, and what could not be started here the sweep starts.
 */
export const makeTouchClusters = (deps: TouchDependencies) => {
  const { touch, pledges, log } = deps;
  const { ofWrite } = makeFindAffected(deps);

  /** False where something is left to the sweep. */
  const touchAll = async ({ resource, object, old }: WriteEvent): Promise<boolean> => {
    let isWhole = true;
    const failed = (error: unknown): void => {
      isWhole = false;
      log.error('A write was not followed by a pass', { ...keysOf(resource, object), error: safeReason(error) });
    };
    try {
      const clusters = await ofWrite(resource, object, old);
      await mapIsolated(
        clusters,
        CONCURRENCY,
        (cluster) => touch(cluster, { isNews: true }),
        (_, error) => failed(error),
      );
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
