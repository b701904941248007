/** Prepares the objects of a restored table for use: they must not be confused with later objects. */
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { ResourceId } from '../../../shared/kube-api/object.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { COUNTER_PREFIX, resourceOfCounter } from '../../../shared/store/keys.ts';
import { createCounters } from '../../../shared/store/objects/counter.ts';
import { nameOf, objectsOf, type TableObjects } from './clusters.ts';

const CONCURRENCY = 10;

/** The Clusters of the restored table, as `<namespace>/<name>`. */
export interface Prepared {
  /** The Clusters that were paused now. */
  paused: string[];
  /** The Clusters that were already paused at the time of the backup. */
  alreadyPaused: string[];
  /** The Clusters that stay unchanged, because they must not be paused. */
  active: string[];
}

/**
 * The resource types with a counter, read from the table itself: those of deleted CustomResourceDefinitions continue
 * with their counters if they are defined again. Reads the complete table once.
 */
const countedResources = async ({ client, table }: TableObjects): Promise<ResourceId[]> => {
  const input = {
    TableName: table,
    ConsistentRead: true,
    FilterExpression: 'begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':prefix': COUNTER_PREFIX },
    ProjectionExpression: 'pk',
  };
  const found: ResourceId[] = [];
  for await (const { Items = [] } of paginateScan({ client }, input))
    found.push(...Items.map(({ pk }) => resourceOfCounter(pk as string)));
  return found;
};

/**
 * Moves every resource type to versions that were never used, so that watches begin again and no conflict is missed.
 */
const leapAll = async (access: TableObjects): Promise<void> => {
  const counters = createCounters(access);
  await mapConcurrently(await countedResources(access), CONCURRENCY, (resource) => counters.leap(resource));
};

const pauseAll = async (access: TableObjects, shouldPause: boolean): Promise<Prepared> => {
  const objects = objectsOf(access);
  const clusters = await objects.list<Cluster>(kinds.cluster);
  const [already, others] = [clusters.filter(isPaused), clusters.filter((cluster) => !isPaused(cluster))];
  if (shouldPause)
    await mapConcurrently(others, CONCURRENCY, async ({ metadata: { namespace = '', name } }) => {
      await objects.mutate(kinds.cluster, { namespace, name }, (cluster: Cluster) => ({
        ...cluster,
        spec: { ...cluster.spec, paused: true },
      }));
    });
  const names = others.map(nameOf).sort();
  return {
    paused: shouldPause ? names : [],
    active: shouldPause ? [] : names,
    alreadyPaused: already.map(nameOf).sort(),
  };
};

/** Prepares a restored table before any function uses it. May be repeated. Throws DynamoDB's errors unchanged. */
export const prepareTable = async (access: TableObjects, options: { pause: boolean }): Promise<Prepared> => {
  await leapAll(access);
  return pauseAll(access, options.pause);
};
