import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { type ApiCall, concernedBy } from '../../../../shared/providers/aws/plan/drift/api-call.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import { placeOf, safeReason } from '../../../../shared/safe-reason.ts';
import { mapIsolated } from '../../../../shared/store/concurrency.ts';
import { clusterRefOf } from '../../../cluster-ref.ts';
import type { EventDependencies } from '../../../events/dependencies.ts';

const CONCURRENCY = 10;

/**
 * Asks for a pass over the clusters to which belongs what somebody has just changed: the pass finds what differs, and
 * does what the policies say. Returns how many clusters these are. Throws, after all others are touched, what kept one from it.
 */
export const apiCalled = async (
  { objects, touch, log }: Pick<EventDependencies, 'objects' | 'touch' | 'log'>,
  call: ApiCall,
): Promise<number> => {
  if (call.resources.length === 0) return 0;
  const concerned = await mapIsolated(
    await objects.list(kinds.awsCluster),
    CONCURRENCY,
    (awsCluster) => concernedBy(call, [awsCluster]),
    ({ metadata: { namespace, name } }, error) =>
      log.error('an AWSCluster was passed over', { namespace, name, reason: safeReason(error), at: placeOf(error) }),
  ).then((found) => found.flat());
  if (concerned.length === 0) return 0;
  const isConcerned = ({ metadata, spec: { infrastructureRef } }: Cluster): boolean =>
    concerned.some(
      (one) =>
        one.metadata.namespace === metadata.namespace && one.metadata.name === awsName('cluster', infrastructureRef),
    );
  const clusters = (await objects.list(kinds.cluster)).filter(isConcerned);
  const faults: unknown[] = [];
  await mapIsolated(
    clusters,
    CONCURRENCY,
    async (cluster) => {
      await touch(clusterRefOf(cluster), { isNews: true });
      const { namespace, name } = cluster.metadata;
      log.info('somebody changed what a cluster owns', { namespace, name, call: call.name });
    },
    (_, error) => faults.push(error),
  );
  if (faults.length > 0) throw faults[0];
  return clusters.length;
};
