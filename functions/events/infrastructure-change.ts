import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import { refersTo } from '../../shared/kinds/reference.ts';
import type { ObjectKey } from '../../shared/kube-api/object.ts';
import { makeReadBudget, type ReadLimits } from '../../shared/kube-api/storage/read-budget.ts';
import { LABEL } from '../../shared/plan/labels.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { placeOf, safeReason } from '../../shared/safe-reason.ts';
import { mapConcurrently, mapIsolated } from '../../shared/store/concurrency.ts';
import { clusterRefOf } from '../cluster-ref.ts';
import type { InfrastructureChange } from '../providers/event-port.ts';
import type { EventDependencies } from './dependencies.ts';

const CONCURRENCY = 10;

type Dependencies = Pick<EventDependencies, 'objects' | 'findOwners' | 'log'>;

/** False for an object that causes an exception: it is skipped. */
const isConcerned = (
  { log }: Dependencies,
  change: InfrastructureChange,
  infrastructure: InfrastructureCluster,
): boolean => {
  try {
    return change.concerns(infrastructure);
  } catch (error) {
    const { kind, metadata } = infrastructure;
    const { namespace, name } = metadata;
    log.error(`an ${kind} was skipped`, { namespace, name, reason: safeReason(error), at: placeOf(error) });
    return false;
  }
};

/** Also false if it cannot be determined who made the change: then a pass finds the difference. */
const isKnownAsOwn = async (
  { log }: Dependencies,
  change: InfrastructureChange,
  infrastructure: InfrastructureCluster,
): Promise<boolean> => {
  try {
    return await change.isOwn(infrastructure);
  } catch (error) {
    const { kind, metadata } = infrastructure;
    const { namespace, name } = metadata;
    log.warn(`the identity of an ${kind} could not be read`, { namespace, name, reason: safeReason(error) });
    return false;
  }
};

interface Concerned {
  key: ObjectKey;
  /** The name of its cluster, from its label. */
  cluster: string | undefined;
}

const MEGABYTE = 1024 * 1024;

/**
 * A part of the function's 512 MB. If a namespace needs more, its clusters are left to the sweep, unless a label names
 * them.
 */
const LIMITS: ReadLimits = { namespace: 16 * MEGABYTE, total: 128 * MEGABYTE };

const refers = (
  provider: Infrastructure,
  { metadata, spec: { infrastructureRef } }: Cluster,
  key: ObjectKey,
): boolean =>
  refersTo(provider.cluster, infrastructureRef) &&
  key.name === infrastructureRef?.name &&
  key.namespace === metadata.namespace;

/** The clusters that refer to these objects: those in their labels, or else those found in a list of the namespace. */
const clustersOf = async (
  { objects }: Dependencies,
  provider: Infrastructure,
  concerned: readonly Concerned[],
): Promise<Cluster[]> => {
  const unnamed: ObjectKey[] = [];
  const labelled = await mapConcurrently(concerned, CONCURRENCY, async ({ key, cluster: name }): Promise<Cluster[]> => {
    const found = name === undefined ? undefined : await objects.get(kinds.cluster, { ...key, name });
    if (found && refers(provider, found, key)) return [found];
    unnamed.push(key);
    return [];
  });
  const budget = makeReadBudget(LIMITS);
  const listed: Cluster[] = [];
  for (const namespace of new Set(unnamed.map((key) => key.namespace))) {
    const found = await objects.list(kinds.cluster, namespace, budget);
    listed.push(...found.filter((cluster) => unnamed.some((key) => refers(provider, cluster, key))));
  }
  return [...new Map([...labelled.flat(), ...listed].map((cluster) => [cluster.metadata.uid, cluster])).values()];
};

/** The clusters that own a resource changed outside Windlass. */
const clustersConcerned = async (
  deps: Dependencies,
  provider: Infrastructure,
  change: InfrastructureChange,
): Promise<Cluster[]> => {
  const { objects, findOwners } = deps;
  // The objects themselves are not kept: users determine how many of them name a resource, and how large they are.
  const changedByOthers = async (key: ObjectKey): Promise<Concerned[]> => {
    const infrastructure = await objects.get(provider.cluster, key);
    if (!infrastructure || !isConcerned(deps, change, infrastructure)) return [];
    if (await isKnownAsOwn(deps, change, infrastructure)) return [];
    return [{ key, cluster: infrastructure.metadata.labels?.[LABEL.clusterName] }];
  };
  const owners = await findOwners(provider.cluster, change);
  const concerned = (await mapConcurrently(owners, CONCURRENCY, changedByOthers)).flat();
  return clustersOf(deps, provider, concerned);
};

/**
 * Requests a pass over the clusters that own a resource changed outside Windlass: the pass finds the difference, and
 * applies the policies. Returns the number of these clusters. If one cannot be touched, throws its error after all
 * others are touched.
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
