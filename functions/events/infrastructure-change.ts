import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { placeOf, safeReason } from '../../shared/safe-reason.ts';
import { mapConcurrently, mapIsolated } from '../../shared/store/concurrency.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { InfrastructureChange } from '../providers/event-port.ts';
import type { EventDependencies } from './dependencies.ts';

const CONCURRENCY = 10;

/**
 * The clusters that own a resource changed outside Windlass. An object that makes code throw is skipped; where it cannot
 * be determined who made the change, a pass over the cluster finds out what is different.
 */
const clustersConcerned = async (
  { objects, findOwners, log }: Pick<EventDependencies, 'objects' | 'findOwners' | 'log'>,
  provider: Infrastructure,
  change: InfrastructureChange,
): Promise<Cluster[]> => {
  const read = await mapConcurrently(await findOwners(provider.cluster, change), CONCURRENCY, (key) =>
    objects.get(provider.cluster, key),
  );
  const found = await mapIsolated(
    read.filter((infrastructure) => infrastructure !== undefined),
    CONCURRENCY,
    (infrastructure) => (change.concerns(infrastructure) ? [infrastructure] : []),
    ({ kind, metadata: { namespace, name } }, error) =>
      log.error(`an ${kind} was skipped`, { namespace, name, reason: safeReason(error), at: placeOf(error) }),
  ).then((answers) => answers.flat());
  const own = await mapIsolated(
    found,
    CONCURRENCY,
    async (infrastructure) => ((await change.isOwn(infrastructure)) ? [infrastructure] : []),
    ({ kind, metadata: { namespace, name } }, error) =>
      log.warn(`the identity of an ${kind} could not be read`, { namespace, name, reason: safeReason(error) }),
  ).then((answers) => new Set(answers.flat()));
  const concerned = found.filter((one) => !own.has(one)).map(({ metadata }) => metadata);
  if (concerned.length === 0) return [];
  const namespaces = [...new Set(concerned.map(({ namespace = '' }) => namespace))];
  const clusters = await mapConcurrently(namespaces, CONCURRENCY, (one) => objects.list(kinds.cluster, one));
  return clusters
    .flat()
    .filter(
      ({ metadata, spec: { infrastructureRef } }) =>
        refersTo(provider.cluster, infrastructureRef) &&
        concerned.some(({ namespace, name }) => namespace === metadata.namespace && name === infrastructureRef?.name),
    );
};

/**
 * Requests a pass over the clusters that own a resource changed outside Windlass: the pass finds the difference, and
 * applies the policies. Returns the number of these clusters. After all others are touched, throws the error for one
 * that could not be.
 */
export const infrastructureChanged = async (
  deps: Pick<EventDependencies, 'objects' | 'findOwners' | 'touch' | 'log'>,
  provider: Infrastructure,
  change: InfrastructureChange,
): Promise<number> => {
  const { touch, log } = deps;
  const clusters = await clustersConcerned(deps, provider, change);
  const faults: unknown[] = [];
  await mapIsolated(
    clusters,
    CONCURRENCY,
    async (cluster) => {
      await touch(clusterRefOf(cluster), { isNews: true });
      const { namespace, name } = cluster.metadata;
      log.info('a resource that a cluster owns was changed', { namespace, name, call: change.what });
    },
    (_, error) => faults.push(error),
  );
  if (faults.length > 0) throw faults[0];
  return clusters.length;
};
