import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import { type ApiCall, concernedBy } from '../../shared/plan/drift/api-call.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import type { EventDependencies } from './dependencies.ts';

const CONCURRENCY = 10;

/**
 * Asks for a pass over the clusters to which belongs what somebody has just changed: the pass finds what differs, and
 * does what the policies say. Returns how many clusters these are.
 */
export const apiCalled = async (
  { objects, touch, log }: Pick<EventDependencies, 'objects' | 'touch' | 'log'>,
  call: ApiCall,
): Promise<number> => {
  if (call.resources.length === 0) return 0;
  const concerned = concernedBy(call, await objects.list(kinds.awsCluster));
  if (concerned.length === 0) return 0;
  const isConcerned = ({ metadata, spec: { infrastructureRef } }: Cluster): boolean =>
    infrastructureRef?.kind === 'AWSCluster' &&
    concerned.some(
      (one) => one.metadata.namespace === metadata.namespace && one.metadata.name === infrastructureRef.name,
    );
  const clusters = (await objects.list(kinds.cluster)).filter(isConcerned);
  await mapConcurrently(clusters, CONCURRENCY, async ({ metadata: { namespace = '', name, uid = '' } }) => {
    await touch({ namespace, name, uid });
    log.info('somebody changed what a cluster owns', { namespace, name, call: call.name });
  });
  return clusters.length;
};
